/// <reference types="vite/client" />

declare module '*.vue' {
  const component: object;
  export default component;
}

interface ImportMetaEnv {
  readonly VITE_BLOG_URL: string;
  readonly VITE_BLOG_KEY: string;
}

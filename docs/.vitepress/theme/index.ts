import type { Theme } from 'vitepress';
import Default from 'vitepress/theme-without-fonts';
import Playground from './Playground.vue';
import './style.css';

export default {
  extends: Default,
  enhanceApp({ app }) {
    app.component('Playground', Playground);
  },
} satisfies Theme;

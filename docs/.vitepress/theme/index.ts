import '@shikijs/vitepress-twoslash/style.css';
import TwoslashFloatingVue from '@shikijs/vitepress-twoslash/client';
import type { Theme } from 'vitepress';
import Default from 'vitepress/theme-without-fonts';
import Home from './Home.vue';
import Live from './Live.vue';
import Playground from './Playground.vue';
import './style.css';

export default {
  extends: Default,
  enhanceApp({ app }) {
    app.use(TwoslashFloatingVue);
    app.component('Home', Home);
    app.component('Live', Live);
    app.component('Playground', Playground);
  },
} satisfies Theme;

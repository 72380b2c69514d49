import { createApp } from 'vue';
import NewestPosts from './newest-posts.vue';

createApp(NewestPosts).mount('main');

import { mount } from 'svelte';
import NewestPosts from './newest-posts.svelte';

const target = document.querySelector('main');
if (target) mount(NewestPosts, { target });

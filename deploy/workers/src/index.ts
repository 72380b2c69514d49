export { BlogObject, default } from '@broadsheet/server/workers';

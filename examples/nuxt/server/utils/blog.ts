import { createClient } from '@broadsheet/sdk';

export const blog = createClient();

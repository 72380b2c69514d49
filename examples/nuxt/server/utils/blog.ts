import { createClient } from '@broadsheet/sdk';

// Files in server/ never reach a browser. The client reads BROADSHEET_BASE_URL and BROADSHEET_API_KEY.
export const blog = createClient();

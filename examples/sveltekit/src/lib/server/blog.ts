import { createClient } from '@broadsheet/sdk';

// What lies in lib/server never reaches a browser. Address and key are BROADSHEET_BASE_URL and BROADSHEET_API_KEY.
export const blog = createClient();

import { describeCampaignEdits } from './campaign-edits.suite.ts';

describeCampaignEdits(4);

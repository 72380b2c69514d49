import { showPreviews } from './ad-form.ts';
import { offerCopying } from './copy.ts';
import { takeDrops } from './drop.ts';
import { keepFiguresMoving } from './live.ts';
import { hintLocalTimes } from './local-times.ts';
import { showValues } from './tips.ts';

keepFiguresMoving();
showValues();
showPreviews();
offerCopying();
hintLocalTimes();
takeDrops();

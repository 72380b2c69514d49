import { showPreviews } from './ad-form.ts';
import { offerCopying } from './copy.ts';
import { takeDrops } from './drop.ts';
import { fitFrames } from './fit.ts';
import { keepFiguresMoving } from './live.ts';
import { hintLocalTimes } from './local-times.ts';
import { showProgress } from './progress.ts';
import { showValues } from './tips.ts';

keepFiguresMoving();
showValues();
fitFrames();
showPreviews();
offerCopying();
hintLocalTimes();
takeDrops();
showProgress();

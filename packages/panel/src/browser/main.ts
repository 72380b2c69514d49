import { showPreviews } from './ad-form.ts';
import { offerCopying } from './copy.ts';
import { showImageProblems } from './image-problems.ts';
import { keepFiguresMoving } from './live.ts';
import { showProgress } from './progress.ts';

keepFiguresMoving();
showPreviews();
showImageProblems();
offerCopying();
showProgress();

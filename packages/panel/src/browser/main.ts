import { showPreviews } from './ad-form.ts';
import { offerCopying } from './copy.ts';
import { showImageProblems } from './image-problems.ts';
import { updateFigures } from './live.ts';
import { showProgress } from './progress.ts';

updateFigures();
showPreviews();
showImageProblems();
offerCopying();
showProgress();

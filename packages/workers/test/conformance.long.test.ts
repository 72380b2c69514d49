import { describeDeployment } from './conformance.suite.ts';

describeDeployment('every case of the conformance of a deployment, in workerd', () => true);

import { type ConformanceCase, transportCases } from '@broadsheet/conformance';
import { describeDeployment } from './conformance.suite.ts';

/** Whether a deployment differs from a server in a case: in the path of a request, or in how a post is published. */
const differs = (one: ConformanceCase) => transportCases.includes(one) || one.needs.includes('schedule');

describeDeployment('conformance of a deployment, in workerd', differs);

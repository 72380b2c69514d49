import { type ConformanceCase, transportCases } from '@broadsheet/conformance';
import { describeDeployment } from './conformance.suite.ts';

/** What a deployment does otherwise than a server: the way of a request, and the alarm that publishes a post. */
const differs = (one: ConformanceCase) => transportCases.includes(one) || one.needs.includes('schedule');

describeDeployment('conformance of a deployment, in workerd', differs);

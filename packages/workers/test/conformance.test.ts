import { type ConformanceCase, transportCases } from '@broadsheet/conformance';
import { describeDeployment } from './conformance.suite.ts';

/** The differences between a deployment and a server: the path of a request, and the alarm that publishes a post. */
const differs = (one: ConformanceCase) => transportCases.includes(one) || one.needs.includes('schedule');

describeDeployment('conformance of a deployment, in workerd', differs);

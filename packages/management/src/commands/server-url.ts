import { withoutTrailingSlashes } from '@broadsheet/contract';
import { OperationError } from '../operations/operation-error.ts';

/** The URL of a server, without a slash at its end. @throws OperationError */
export function readServerUrl(at: string, typed: string): string {
  const url = withoutTrailingSlashes(typed.trim());
  if (/^https?:\/\/[^?#\s"\\]+$/.test(url) && URL.canParse(url)) return url;
  const message = `expected the http(s) URL of a server, such as https://blog.example, received ${JSON.stringify(typed)}`;
  throw new OperationError([{ at, message }]);
}

/** Whether a host is this machine: secrets in requests to it do not cross a network. */
export const isThisMachine = (hostname: string): boolean =>
  /^(.+\.)?localhost$|^127\.\d+\.\d+\.\d+$|^\[::1\]$/.test(hostname);

/** What is wrong with a request of a client, by the document and the dialect. */
import type { Input } from '../../src/contract/index.ts';
import { didYouMeanOperation } from '../../src/profile/did-you-mean.ts';
import { CONTROL_PATH } from '../control/control-path.ts';
import type { DialectResponse } from '../dialects/types.ts';
import type { Rejected } from '../model/types.ts';
import { type RoutedRequest, type RouteMatch, route } from '../router.ts';

export interface RequestProblem {
  readonly code:
    | 'unknown-path'
    | 'wrong-method'
    | 'unknown-parameter'
    | 'repeated-parameter'
    | 'media-type'
    | 'unknown-name'
    | 'beyond-end'
    | Rejected['reason'];
  /** A note is no mistake: the request is unusual, and legal. */
  readonly severity: 'mistake' | 'note';
  /** The input that is missing or malformed. */
  readonly input?: Input;
  /** One sentence: what is wrong and what is expected. */
  readonly detail: string;
}

/** A request as it arrives, and its path as routed. */
interface RequestedPath extends RoutedRequest {
  /** The path as sent, the base path included. */
  readonly fullPath: string;
  /** The prefix of all paths, without a slash at its end. */
  readonly basePath: string;
}

function describeUnknownPath({ method, fullPath, basePath }: RequestedPath): string {
  if (!fullPath.startsWith(`${basePath}/`)) return `${fullPath} is not below the base path ${basePath}`;
  const path = fullPath.slice(basePath.length);
  if (path.startsWith(`${CONTROL_PATH}/`))
    return `${path} is a path of the control server, which has a port of its own`;
  const documented = route({ method, path });
  return documented.kind === 'operation'
    ? `the profile does not implement ${documented.operation.key}`
    : `the document has no operation ${method} ${path}${didYouMeanOperation(`${method} ${path}`)}`;
}

/** Returns the problem of a request that matches no operation. */
export function problemOfRoute(request: RequestedPath, match: RouteMatch): RequestProblem | undefined {
  switch (match.kind) {
    case 'operation':
      return undefined;
    case 'wrongMethod':
      return {
        code: 'wrong-method',
        severity: 'mistake',
        detail: `the operation is ${match.allow.join(' or ')} ${request.path}, not ${request.method}`,
      };
    case 'unknownPath':
      return {
        code: 'unknown-path',
        severity: 'mistake',
        detail: describeUnknownPath(request),
      };
  }
}

/** Returns the problem of a request that the dialect or the model rejects. */
export const problemOfRejection = ({ reason, input, detail }: Rejected): RequestProblem => ({
  code: reason,
  severity: 'mistake',
  ...(input && { input }),
  detail,
});

/** The characters of a header value (RFC 9110, 5.5) that every client reads alike. */
const asHeaderValue = (text: string): string =>
  text
    .replace(/[“”]/g, '"')
    .replace(/’/g, "'")
    .replace(/[^ -~]/g, '?')
    .slice(0, 500);

/** Adds what is wrong with the request. Conforming clients never see the header. */
export const withProblem = (response: DialectResponse, { code, detail }: RequestProblem): DialectResponse => ({
  ...response,
  headers: { ...response.headers, 'X-Mdwi-Problem': `${code}; ${asHeaderValue(detail)}` },
});

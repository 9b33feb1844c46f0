/** Finds entries that no client received: a replay could not send them, and its own failure is no verdict on the service. */
import type { HeaderLines } from '../../exchange/headers.ts';
import { isToken } from '../../profile/http-text.ts';
import { RECORDED_ORIGIN } from './origin.ts';

/** The members of an entry that are messages of HTTP; their types are checked. */
interface CheckedEntry {
  readonly _mdwi: {
    readonly requestHeaders: HeaderLines;
    readonly responseHeaders?: HeaderLines | undefined;
    readonly reason?: string | undefined;
    readonly responseBody?: object | undefined;
    readonly interim?: readonly { readonly headers: HeaderLines }[] | undefined;
    readonly trailers?: HeaderLines | undefined;
    readonly failure?: object | undefined;
  };
  readonly request: { readonly method: string; readonly url: string };
  readonly response: {
    readonly status: number;
    readonly content: { readonly text?: string | undefined; readonly encoding?: string | undefined };
  };
}

/** Whether a text ends a line of the head, or itself, for a parser of HTTP. */
const endsLine = (text: string): boolean => /[\0\r\n]/.test(text);

function lineProblem(lines: HeaderLines = []): string | undefined {
  const [name] = lines.find((each) => !isToken(each[0]) || endsLine(each[1])) ?? [];
  if (name === undefined) return undefined;
  return isToken(name) ? `the value of ${name} has a line break or NUL` : `${JSON.stringify(name)} is no header name`;
}

/**
 * The member of an entry that is damaged, and what is wrong with it, without full stop; undefined: nothing (RFC 9110,
 * sections 5.1, 5.5, 9.1 and 15; RFC 9112, section 4).
 */
export function damageOf({ _mdwi: extra, request, response }: CheckedEntry) {
  const { requestHeaders, responseHeaders, trailers, interim = [], reason = '', failure, responseBody } = extra;
  const { status, content } = response;
  const path = request.url.startsWith(RECORDED_ORIGIN) ? request.url.slice(RECORDED_ORIGIN.length) : '';
  const problems: readonly (readonly [member: string, problem: string | false | undefined])[] = [
    ['request.method', !isToken(request.method) && `${JSON.stringify(request.method)} is no method`],
    ['request.url', (!/^[/*]/.test(path) || endsLine(path)) && `is no path at ${RECORDED_ORIGIN}`],
    ['_mdwi.requestHeaders', lineProblem(requestHeaders)],
    ['response.status', responseHeaders && !(status >= 200 && status <= 999) && `${status} is no status of a response`],
    ['_mdwi.responseHeaders', !responseHeaders && (!failure || status !== 0) && 'is missing'],
    ['_mdwi.responseHeaders', lineProblem(responseHeaders)],
    ['_mdwi.reason', endsLine(reason) && 'has a line break or NUL'],
    ['_mdwi.interim', lineProblem(interim.flatMap(({ headers }) => headers))],
    ['_mdwi.trailers', lineProblem(trailers)],
    ['response.content.encoding', content.encoding !== undefined && 'a body is text, or in a side file'],
    ['response.content.text', content.text?.isWellFormed() === false && 'has half of a surrogate pair'],
    ['response.content.text', content.text !== undefined && responseBody && '_mdwi.responseBody is the body'],
  ];
  const [member, problem] = problems.find(([, each]) => each) ?? [];
  return member === undefined ? undefined : { path: member.split('.'), message: `${problem}` };
}

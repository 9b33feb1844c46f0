/** Finds parameters that an operation does not have, and the ones that are probably meant. */
import { closestWord } from '../../src/profile/did-you-mean.ts';
import type { RequestProblem } from './request-problem.ts';

/** Parameters that clients and proxies add for caches, statistics and traces: they mean nothing to a service. */
const INCIDENTAL =
  /^(?:_+|t|ts|v|cb|rnd|rand|random|timestamp|no_?cache|cache_?buster|utm_\w+|gclid|fbclid|msclkid|(?:x[-_])?(?:trace|request|correlation|span|session|client)[-_]?id|traceparent)$/i;

/** An abbreviation, or a word that was abbreviated: `cat` for `category`. `categoryPath` begins another word. */
const isAbbreviation = (short: string, long: string): boolean =>
  short.length >= 3 &&
  long.length > short.length &&
  long.toLowerCase().startsWith(short.toLowerCase()) &&
  /^[a-z]/.test(long.slice(short.length));

/** More differing letters are another word: `categoryPath` and `categoryId`. */
const MAX_TYPOS = 2;

/** The name that is probably meant. Names of fewer than three letters have too many neighbours. */
function meantName(name: string, declared: readonly string[]): string | undefined {
  if (INCIDENTAL.test(name)) return undefined;
  const long = declared.filter((each) => each.length >= 3);
  const close = name.length < 3 ? undefined : closestWord(name, long, MAX_TYPOS);
  return (
    declared.find((each) => each.toLowerCase() === name.toLowerCase()) ??
    close ??
    long.find((each) => isAbbreviation(name, each) || isAbbreviation(each, name))
  );
}

/** The names in one part of a request, such as the query. */
export interface PartNames {
  readonly part: 'the query' | 'the body';
  readonly sent: readonly string[];
  readonly declared: readonly string[];
}

/**
 * Returns a problem for each name that is not declared: a mistake if a declared name that is not sent is probably meant, else
 * a note, since clients may send more than a service reads.
 */
export function checkNames({ part, sent, declared }: PartNames): RequestProblem[] {
  const absent = declared.filter((each) => !sent.includes(each));
  return [...new Set(sent)]
    .filter((name) => !declared.includes(name))
    .map((name): RequestProblem => {
      const meant = meantName(name, absent);
      const shown = JSON.stringify(name.slice(0, 60));
      return meant === undefined
        ? { code: 'unknown-parameter', severity: 'note', detail: `${shown} in ${part} is no parameter and is ignored` }
        : {
            code: 'unknown-parameter',
            severity: 'mistake',
            detail: `${shown} in ${part} is no parameter and is ignored (did you mean “${meant}”?)`,
          };
    });
}

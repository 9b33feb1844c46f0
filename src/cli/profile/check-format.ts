/** Formats the result of `mdwi profile check --base-url` as text or JSON. */
import { printable } from '../../exchange/printable.ts';
import { formatLocation } from '../../profile/profile-location.ts';
import type { Profile } from '../../profile/schema.ts';
import { findUnread, likewise, type Remark } from './check.ts';
import type { LiveCheck } from './check-live.ts';

const TITLES = {
  doubt: 'probably wrong',
  unverified: 'not verified',
  unbound: 'not bound',
  confirmed: 'confirmed',
} as const satisfies { readonly [K in Remark['kind']]?: string };
type Kind = keyof typeof TITLES;

/** What is not verified, or confirmed, for one reason is one line; the others are about one key each. */
const JOINED: readonly Kind[] = ['unverified', 'confirmed'];

const MAX_RULES = 6;

const formatAdded = (rules: readonly string[]): string => {
  const more = rules.length > MAX_RULES ? ` and ${rules.length - MAX_RULES} more` : '';
  return rules.length === 0 ? '' : `; it adds ${rules.slice(0, MAX_RULES).join(', ')}${more}`;
};

/** The result as lines: the number of requests, then one line per remark, by kind. */
export function formatLiveCheck(profile: Profile, result: LiveCheck): string {
  const { source, lineOf = () => '' } = profile;
  const line = ({ path, sentence, rules = [] }: Remark, others: readonly Remark[]): string => {
    const more = likewise(
      profile,
      others.map((each) => each.path),
    );
    return `  ${printable(`${source}${lineOf(path)}: ${formatLocation(path)}: ${sentence}${formatAdded(rules)}${more}`)}\n`;
  };
  const lists = (Object.keys(TITLES) as Kind[]).map((kind) => {
    const remarks = result.remarks.filter((each) => each.kind === kind);
    const groups = [...Map.groupBy(remarks, ({ sentence, rules = [] }) => `${sentence} ${rules.join()}`).values()];
    const lines = groups.flatMap((group) =>
      JOINED.includes(kind)
        ? group.slice(0, 1).map((each) => line(each, group.slice(1)))
        : group.map((each) => line(each, [])),
    );
    return remarks.length === 0 ? '' : `${TITLES[kind]} (${remarks.length}):\n${lines.join('')}`;
  });
  const end = result.isLimitReached ? '; the limit ended the check, --max-requests raises it' : '';
  const doubts = result.remarks.some(({ kind }) => kind === 'doubt') ? '' : '; no binding is in doubt';
  const read = result.hasReadableResponse ? doubts : '; no response could be read';
  return `${result.requests} requests sent${end}${read}\n${lists.join('')}`;
}

/**
 * The result as JSON: requests, whether the limit ended the check, and every remark with its key and line; also of the keys
 * without effect.
 * @param result absent if no request was sent
 */
export function checkToJson(profile: Profile, result?: LiveCheck): string {
  const { source, data, lineOf = () => '' } = profile;
  const remarks = [...findUnread(profile), ...(result?.remarks ?? [])].map(({ kind, path, sentence, rules }) => {
    const line = Number(lineOf(path).slice(1));
    return {
      kind,
      key: formatLocation(path),
      ...(line > 0 && { line }),
      sentence: printable(sentence),
      ...(rules && { rules }),
    };
  });
  const { requests = 0, isLimitReached: exhausted = false } = result ?? {};
  return `${JSON.stringify({ file: source, profile: data.name, requests, exhausted, remarks }, undefined, 2)}\n`;
}

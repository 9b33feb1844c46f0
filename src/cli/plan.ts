/** `mdwi plan`: prints the requests that a run would send. Sends nothing. */
import { RULES } from '../../suites/index.ts';
import { configure } from '../commands/configure.ts';
import { selectionOf, targetBaseUrl, withFailedChecks } from '../commands/selection.ts';
import { maxRequestsOf, withLimits } from '../commands/with-limits.ts';
import type { SettingKey } from '../config/settings.ts';
import { printable } from '../exchange/printable.ts';
import { loadOffline } from '../profile/load.ts';
import { EXIT } from '../run/exit-codes.ts';
import { boundOf, type PlannedRequest, planRequests } from '../run/plan.ts';
import { secretValuesOf } from '../secrets/declared-secrets.ts';
import { redactor } from '../secrets/redact.ts';
import { UsageError } from '../usage-error.ts';
import { type Command, parse } from './parse-flags.ts';
import { printConfig } from './print-config.ts';
import { PLAN_FLAGS } from './usage/run.ts';

const SIMULATOR = 'http://simulator.invalid';

/** Lengths of lists for which a plan shows the maximum number of requests. */
const LIST_LENGTHS = [10, 100, 1000];

/**
 * @param budget the number of requests that ends the run
 * @param ofLength the plan for lists of at most so many items
 */
function summaryOf(
  requests: readonly PlannedRequest[],
  budget: number,
  ofLength: (items: number) => readonly PlannedRequest[],
): string {
  const { requests: max, paged } = boundOf(requests);
  const exact = requests.filter((each) => each.exact && !each.paged).length;
  const shorter = LIST_LENGTHS.map((items) => ({ items, most: boundOf(ofLength(items)).requests }));
  return [
    max > budget
      ? `at most ${budget} requests, the limit of the run; without it ${max} (${exact} exact, the rest bounds)`
      : `at most ${max} requests (${exact} exact, the rest bounds)`,
    ...(max > budget
      ? shorter
          .filter(({ most }) => most < budget)
          .map(({ items, most }) => `at most ${most} requests if no list has more than ${items} items`)
      : []),
    ...(paged > 0
      ? [
          `${paged} of them request a list in pages: each further page is one more request, and the number is known to the service only`,
        ]
      : []),
    'the requests of a failed check are sent once more; redirects, retries (after 429, 503 or a transport fault) and token requests are not counted',
    `limits.maxRequests ends the run after ${budget} requests`,
  ].join('\n');
}

/** Settings that concern what is sent and reported. */
const UNUSED_SETTINGS: readonly SettingKey[] = [
  ...(['recording', 'recordingsDir', 'proxy', 'ca', 'allowHosts'] as const),
  ...(['reports', 'waivers', 'ruleSet', 'baseline', 'history'] as const),
];

export const plan: Command = async (args) => {
  const { values: flags, positionals } = parse(args, PLAN_FLAGS, 1);
  const { report: _, ...view } = flags;
  const configured = await configure(view, {
    target: positionals[0],
    flags: PLAN_FLAGS,
    omit: UNUSED_SETTINGS,
  });
  if (flags['print-config']) return printConfig(configured);
  const { values } = configured;
  const selection = selectionOf(await withFailedChecks(values));
  const base = targetBaseUrl(values) ?? SIMULATOR;
  const source = values.profile ?? (base === SIMULATOR ? 'reference' : 'empty');
  const profile = withLimits(await loadOffline(source), values.limits);
  const requests = planRequests(RULES, selection, profile, base);
  if (requests.length === 0) throw new UsageError('with this profile, the flags select no request');
  const ofLength = (items: number) => planRequests(RULES, selection, withLimits(profile, { maxSubjects: items }), base);
  const lines = requests.map(({ method, url, exact, maxRequests, paged, maxPages, safety }) => {
    const bound = exact ? '' : `  up to ${maxRequests} times`;
    const perPage = paged ? `  per page of the list, up to ${maxPages}` : '';
    return printable(`${safety.padEnd(7)} ${method.padEnd(4)} ${url}${bound}${perPage}`);
  });
  const text = `${lines.join('\n')}\n\n${summaryOf(requests, maxRequestsOf(profile, selection), ofLength)}\n`;
  process.stdout.write(redactor(secretValuesOf(profile, values.secret))(text));
  return EXIT.ok;
};

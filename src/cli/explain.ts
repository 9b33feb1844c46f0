/** `mdwi explain RULE`: shows what a rule demands, sends and needs, and how it judges. */
import { RULES, ruleOf } from '../../suites/index.ts';
import {
  GROUPS,
  type Group,
  type OperationKey,
  openingById,
  operationOf,
  PROMISES,
  statementOf,
} from '../contract/index.ts';
import { didYouMean } from '../profile/did-you-mean.ts';
import { loadProfile } from '../profile/load.ts';
import type { Profile } from '../profile/schema.ts';
import { declarationsOf } from '../rule/declarations.ts';
import { BASES, type Rule, sourceNames } from '../rule/index.ts';
import { EXIT } from '../run/exit-codes.ts';
import { UsageError } from '../usage-error.ts';
import { type Command, needed, parse } from './parse-flags.ts';

const ALL = Object.keys(GROUPS) as Group[];

const STATED = { unknown: [404], malformed: [400], missing: [400] };

/** A profile that promises what any rule about an operation may need. */
const withPromises = ({ data, ...profile }: Profile, subject: OperationKey): Profile => ({
  ...profile,
  data: {
    ...data,
    authCovers: ALL,
    authRequired: ALL,
    authSeparate: ALL,
    authVerified: ALL,
    authLimited: ALL,
    authFor: { ...data.authFor, limited: { scheme: 'none' } },
    statuses: STATED,
    operations: { ...data.operations, [subject]: { ...data.operations?.[subject], statuses: STATED } },
  },
  bodySchemas: new Map([[subject, new Map()]]),
});

export const explain: Command = async (args) => {
  const { positionals } = parse(args, {}, 1);
  const id = needed(positionals[0], 'the rule is missing: mdwi explain RULE; mdwi rules lists them');
  const rule = ruleOf(id);
  if (!rule)
    throw new UsageError(
      `there is no rule “${id}”${didYouMean(
        id,
        RULES.map((each) => each.id),
      )}; mdwi rules lists them`,
    );
  process.stdout.write(await explanationOf(rule));
  return EXIT.ok;
};

/** What `mdwi explain` prints about a rule. */
export async function explanationOf(rule: Rule): Promise<string> {
  const { section, says } = statementOf(rule.statement);
  if (rule.subjects.length === 0) throw new UsageError(`${rule.id} judges no operation`);
  // The requests depend on the profile. The reference profile fills every opening and shows the most.
  const profiles = await Promise.all(['reference', 'xml', 'soap', 'tabular', 'terse'].map((name) => loadProfile(name)));
  const probes = rule.subjects.flatMap((subject) =>
    profiles.map((profile) => ({
      subject,
      steps: rule.probe(subject, declarationsOf(withPromises(profile, subject))),
    })),
  );
  const { subject, steps } = (probes.find((each) => Object.keys(each.steps).length > 0) ??
    probes[0]) as (typeof probes)[0];
  const lines = [
    `${rule.id}: ${rule.demands}`,
    '',
    `The document says (section ${section}): ${says}`,
    `Basis: ${rule.basis}, ${BASES[rule.basis].means}${BASES[rule.basis].gating ? '' : '; advisory, unless --strict is given'}.`,
    `Judges: ${rule.subjects.slice(0, 8).join(', ')}${rule.subjects.length > 8 ? `, and ${rule.subjects.length - 8} more` : ''}.`,
    '',
    `What is sent (for ${subject}):`,
    ...Object.entries(steps).map(([name, step]) => {
      const method = step.variant?.method ?? operationOf(step.operation).method;
      const path = step.variant?.path ?? operationOf(step.operation).path;
      const each = step.each
        ? `, up to ${step.each.max} times, with values found by “${sourceNames(step.each).join('”, “')}”`
        : '';
      if (step.fromAllRules)
        return `  ${name}: nothing; it reads the responses of ${method} ${path} that other rules get`;
      const inputs = Object.keys(step.inputs ?? {});
      return `  ${name}: ${method} ${path}${inputs.length > 0 ? ` with ${inputs.join(', ')}` : ''}${each}`;
    }),
    '',
    `How it is judged: ${rule.how}`,
    ...(rule.looksLike === undefined ? [] : ['', `What is legal: ${rule.looksLike}`]),
    '',
    'What it needs in a profile:',
    ...(rule.promise === undefined ? [] : [`  ${rule.promise} – ${PROMISES[rule.promise]}`]),
    ...rule.needs(subject).map((need) => {
      const alternatives = typeof need === 'string' ? [need] : need;
      return `  ${alternatives.map((id) => `${openingById(id).fill} – ${openingById(id).asks}`).join('\n    or ')}`;
    }),
    ...(rule.needs(subject).length === 0 && rule.promise === undefined ? ['  nothing'] : []),
    ...(rule.reads
      ? ['', 'What it reads there, too:', ...rule.reads.map((name) => `  ${name} – ${PROMISES[name]}`)]
      : []),
  ];
  return `${lines.join('\n')}\n`;
}

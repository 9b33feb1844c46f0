/** `mdwi rules`: lists every rule with its statement, basis and needs. */
import { RULES } from '../../suites/index.ts';
import { statementOf } from '../contract/index.ts';
import { BASES, type Need } from '../rule/index.ts';
import { EXIT } from '../run/exit-codes.ts';
import { type Command, parse } from './parse-flags.ts';
import { RULES_FLAGS } from './usage/other.ts';

const formatNeed = (need: Need): string => (typeof need === 'string' ? need : `one of ${need.join(' | ')}`);

export const listRules: Command = async (args) => {
  const { values } = parse(args, RULES_FLAGS);
  if (values.matrix) {
    process.stdout.write((await import('./rules-matrix.ts')).formatMatrix());
    return EXIT.ok;
  }
  for (const rule of RULES) {
    const { section, says } = statementOf(rule.statement);
    const openings = rule.subjects.flatMap((subject) => rule.needs(subject).map(formatNeed));
    const needs = [...new Set([...(rule.promise === undefined ? [] : [rule.promise]), ...openings])];
    const shown = needs.length > 6 ? `${needs.slice(0, 6).join(', ')}, … (per operation)` : needs.join(', ');
    process.stdout.write(
      `${rule.id}\n  demands    ${rule.demands}\n  statement  ${rule.statement} (section ${section}): ${says}\n  basis      ${rule.basis}${BASES[rule.basis].gating ? '' : ' (advisory)'}, since ${rule.since}\n  judges     ${rule.subjects.length} ${rule.subjects.length === 1 ? 'operation' : 'operations'}\n  needs      ${shown || 'nothing'}\n\n`,
    );
  }
  process.stdout.write(`${RULES.length} rules\n`);
  return EXIT.ok;
};

/** `mdwi profile openings`: lists filled and open openings, and the rules that each open one blocks. */
import { RULES } from '../../../suites/index.ts';
import { OPENINGS, type OpeningId } from '../../contract/index.ts';
import { isAbsent, isFilled, isImplemented } from '../../profile/filled-openings.ts';
import type { Profile } from '../../profile/schema.ts';

/** Returns the rules that need an opening, alone or as one of several alternatives. */
export function rulesNeeding(id: OpeningId): string[] {
  const rules = RULES.filter((rule) => rule.subjects.some((subject) => rule.needs(subject).flat().includes(id)));
  return rules.map((rule) => rule.id);
}

const MAX_RULES = 6;

/** Formats the rules that need an opening as the end of a sentence, e.g. ` (C.bulk-unique, …)`; empty if there are none. */
export function formatRules(id: OpeningId | undefined): string {
  const rules = id === undefined ? [] : rulesNeeding(id);
  if (rules.length === 0) return '';
  const more = rules.length > MAX_RULES ? ` and ${rules.length - MAX_RULES} more` : '';
  return ` (${rules.slice(0, MAX_RULES).join(', ')}${more})`;
}

/** Formats one line per opening of the implemented operations: `✓` filled, `-` declared absent, `·` open. */
export function listOpenings(profile: Profile): string {
  const implemented = OPENINGS.filter((each) => !each.operation || isImplemented(profile, each.operation));
  const lines = implemented.map((each) => {
    if (isFilled(profile, each.id)) return `✓ ${each.fill}`;
    if (isAbsent(profile, each.id)) return `- ${each.fill}`;
    const rules = rulesNeeding(each.id);
    return `· ${each.fill}\n    ${each.asks} (section ${each.section})${rules.length > 0 ? ` → ${rules.join(', ')}` : ''}`;
  });
  const filled = implemented.filter((each) => isFilled(profile, each.id)).length;
  return `${lines.join('\n')}\n\n${filled} of ${implemented.length} openings filled\n`;
}

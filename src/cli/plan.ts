/** `mdwi plan`: what a run would send. Sends nothing. */
import { RULES } from '../../suites/index.ts';
import { printable } from '../exchange/printable.ts';
import { redactor } from '../exchange/redact.ts';
import { secretValuesOf } from '../exchange/secrets/declared.ts';
import { loadProfile } from '../profile/load.ts';
import { EXIT } from '../run/outcome.ts';
import { planRequests } from '../run/plan.ts';
import type { Command } from './command.ts';
import { parse, UsageError } from './options.ts';
import { SELECTION_FLAGS, selectionOf, targetOf } from './selection.ts';

const SIMULATOR = 'http://simulator.invalid';

export const plan: Command = {
  async run(args) {
    const { values } = parse(args, {
      ...SELECTION_FLAGS,
      strict: { type: 'boolean' },
      report: { type: 'string', multiple: true },
    });
    const selection = selectionOf(values);
    const base = targetOf(values) ?? SIMULATOR;
    const profile = await loadProfile(values.profile ?? (base === SIMULATOR ? 'reference' : 'empty'));
    const requests = planRequests(RULES, selection, profile, base);
    if (requests.length === 0) throw new UsageError('the flags select nothing that would be sent under this profile');
    const lines = requests.map(({ method, url, exact, most, pages, safety }) => {
      const bound = exact ? '' : `  up to ${most} times`;
      return printable(
        `${safety.padEnd(7)} ${method.padEnd(4)} ${url}${bound}${pages > 1 ? `  up to ${pages} pages` : ''}`,
      );
    });
    const total = requests.reduce((sum, each) => sum + each.most * each.pages, 0);
    const exact = requests.filter((each) => each.exact && each.pages === 1).length;
    const text = `${lines.join('\n')}\n\nat most ${total} requests (${exact} exact, the rest bounds); checks that fail are asked once more\n`;
    process.stdout.write(redactor(secretValuesOf(profile))(text));
    return EXIT.ok;
  },
};

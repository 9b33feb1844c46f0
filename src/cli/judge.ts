/** `mdwi judge`: judges traffic that other clients had with a service. Nothing is sent. */
import { RULES } from '../../suites/index.ts';
import { Spool } from '../exchange/body.ts';
import { makingsOf } from '../exchange/har/made.ts';
import { PLACEHOLDER } from '../exchange/har/origin.ts';
import { RecordingError } from '../exchange/har/schema.ts';
import { secretValuesOf } from '../exchange/secrets/declared.ts';
import type { Profile } from '../profile/schema.ts';
import { judgeTraffic, type Witness } from '../run/observe/judge-traffic.ts';
import type { Run, Selection } from '../run/types.ts';
import type { Command } from './command.ts';
import { findTraffic, type LoadedTraffic, loadFiles, loadRecording, type Named } from './judge/load-traffic.ts';
import { judgeTarget } from './judge-target.ts';
import { baseUrlOf, parse, SELECTION_FLAGS, selectionOf, UsageError } from './options.ts';
import { startProgress } from './progress.ts';
import { loadOffline, openReplay, recordedWith } from './replaying.ts';
import { REPORT_FLAGS, REPORT_USAGE, reportingOf } from './reporting.ts';
import { version } from './version.ts';

const { safety: _, ...SELECTION } = SELECTION_FLAGS;
const FLAGS = {
  ...SELECTION,
  ...REPORT_FLAGS,
  recordings: { type: 'string' },
  secret: { type: 'string', multiple: true },
} as const;

export const judge: Command = {
  says: 'judges traffic that other clients had with a service',
  usage: `mdwi judge FILE.har|FOLDER|NAME [--profile NAME|FILE] [--base-url URL] [flags]

  FILE.har             what a browser, a proxy or an API client exported; or a folder of such files, read as one
  NAME, FOLDER         a recording, by its name or its folder
  --profile NAME|FILE  how requests are written and answers read; a request that it does not explain completely is not
                       judged (default: the recording’s own; empty for HAR files, which then cannot be read)
  --base-url URL       the service’s base address; default: the one that the operations of the interface map onto
  --recordings DIR     where recordings are (default recordings)
  --group A|B|C|D      only these groups (may be repeated)
  --operation KEY      only these operations, e.g. "GET /PLATFORMAPI/prodRef/v1/allProducts"
  --rule ID            only these rules (mdwi rules lists them)
${REPORT_USAGE}
  --secret VALUE       a value that is hidden in reports, too (may be repeated)

Nothing is sent. A check fails only where the exchanges themselves prove it; what they do not show is untested.

exit codes: 0 nothing gated failed and something was proved · 1 nonconformity · 2 usage, profile or damaged file · 3 undetermined · 70 our own error`,
  async run(args) {
    const { values, positionals } = parse(args, FLAGS, 1);
    const [word] = positionals;
    if (word === undefined) throw new UsageError('mdwi judge FILE.har|FOLDER|NAME: what is to be judged?');
    const reporting = reportingOf(values, 'judge');
    const selection = selectionOf({ ...values, safety: 'all' });
    const given = values['base-url'] === undefined ? undefined : baseUrlOf(values['base-url']);
    const spool = new Spool();
    const progress = startProgress('exchanges');
    try {
      const { traffic, profile, named } = await open(word, { ...values, given }, spool);
      const beside = await runOver(named, values.profile, selection);
      const { run, witness } = await judgeTraffic({
        rules: RULES,
        selection,
        profile,
        traffic,
        target: traffic.name,
        suiteVersion: version(),
        onProgress: progress.tell,
        ...reporting.scope,
        ...(beside && { beside }),
      });
      progress.end();
      process.stdout.write(tellWitness(traffic, witness));
      await reporting.tell(run, secretValuesOf(profile, values.secret));
      return run.exitCode;
    } catch (error) {
      if (error instanceof RecordingError) throw new UsageError(error.message);
      throw error;
    } finally {
      progress.end();
      await spool.close();
    }
  },
};

interface OpenValues {
  readonly given: string | undefined;
  readonly profile?: string | undefined;
  readonly recordings?: string | undefined;
}

async function open(
  word: string,
  { given, profile: name, recordings = 'recordings' }: OpenValues,
  spool: Spool,
): Promise<{ traffic: LoadedTraffic; profile: Profile; named: Named }> {
  const named: Named = findTraffic(word, recordings);
  if ('files' in named) {
    const profile = await loadOffline(name ?? 'empty');
    return { named, profile, traffic: await loadFiles(named.files, profile, spool, given) };
  }
  if (given !== undefined) throw new UsageError('--base-url: a recording knows its own; it is for HAR files');
  const profile = await (name === undefined ? recordedWith(named.recording) : loadOffline(name));
  return { named, profile, traffic: loadRecording(named.recording) };
}

/**
 * What the suites come to over a recording of their own traffic alone: it has no times to tell by what belongs together,
 * but was asked for as the suites ask, in their order.
 */
async function runOver(named: Named, profile: string | undefined, selection: Selection): Promise<Run | undefined> {
  if (!('recording' in named)) return undefined;
  const { dir, name, about } = named.recording;
  if (about.source === 'import' || makingsOf(about).some(({ command }) => command !== 'record')) return undefined;
  const { close, ...target } = await openReplay(name, {
    'recordings-dir': dir,
    ...(profile !== undefined && { profile }),
  });
  try {
    const run = await judgeTarget({ ...target, selection });
    // Nobody serves there any more.
    return JSON.parse(JSON.stringify(run).replaceAll(new URL(target.base).origin, PLACEHOLDER)) as Run;
  } finally {
    await close();
  }
}

const SHOWN = 8;

/** How many exchanges there were, and what became of them. */
function tellWitness(
  { entries, left, others, base }: LoadedTraffic,
  { exchanges, mapped, read, unread }: Witness,
): string {
  const count = ([why, times]: readonly [string, number]) => `    ${times} ${why}\n`;
  const out = [...left].sort(([, x], [, y]) => y - x);
  const strange = exchanges - mapped;
  return [
    `  ${entries} exchanges: ${exchanges} with ${base}, ${mapped} for operations of the interface, ${read} read back completely\n`,
    others.length > 0 ? `  not judged: ${others.join(', ')}\n` : '',
    out.length > 0 ? `  left out\n${out.map(count).join('')}` : '',
    strange > 0 ? `  for no operation (another path or method): ${strange}\n` : '',
    unread.length > 0 ? `  not read back, and so not judged\n${unread.slice(0, SHOWN).map(count).join('')}` : '',
    unread.length > SHOWN ? `    and ${unread.length - SHOWN} more reasons\n` : '',
    '\n',
  ].join('');
}

/** `mdwi profile learn` and `mdwi profile why`: learn a profile from the responses of a service. */
import { existsSync, readFileSync } from 'node:fs';
import { basename, extname } from 'node:path';
import { writeNamedFile } from '../../atomic-write.ts';
import type { FlagValues } from '../../config/flag.ts';
import { printable } from '../../exchange/printable.ts';
import type { Learned } from '../../learn/types.ts';
import { EXIT, firstToCount, interruptedExitCode } from '../../run/exit-codes.ts';
import { interruptedBy, interruptionOf } from '../../run/interruption.ts';
import { redactor } from '../../secrets/redact.ts';
import { Interrupted } from '../../terminal/interrupts.ts';
import { UsageError } from '../../usage-error.ts';
import { parse } from '../parse-flags.ts';
import { LEARN_FLAGS, WHY_FLAGS } from '../usage/profile.ts';
import { learnFrom } from './learn-service.ts';
import type { PrintedAction } from './printed-action.ts';

/** Asks the questions, and returns what is known at the end, or at an interruption. */
async function askedOnTerminal(
  learned: Learned,
  showValues: boolean | undefined,
): Promise<{ learned: Learned; ended?: Interrupted }> {
  const { openQuestions } = await import('../init/ask.ts');
  const { askQuestions } = await import('./learn-questions.ts');
  const questions = openQuestions(process.stdin, process.stderr);
  let known = learned;
  try {
    await askQuestions(
      learned,
      questions.ask,
      (each) => {
        known = each;
      },
      showValues,
    );
    return { learned: known };
  } catch (error) {
    if (error instanceof Interrupted) return { learned: known, ended: error };
    throw error;
  } finally {
    questions.close();
  }
}

export async function runLearn(args: string[]): Promise<PrintedAction> {
  const { values, positionals } = parse(args, LEARN_FLAGS, 1);
  return learnWith(values, positionals[0]);
}

/**
 * Learns a profile, and writes it to the file of `--out` or returns it.
 * @returns exit code 3, and writes nothing, if no operation answered
 */
export async function learnWith(flags: FlagValues<typeof LEARN_FLAGS>, description?: string): Promise<PrintedAction> {
  const { out } = flags;
  if (out !== undefined && !['.yaml', '.yml'].includes(extname(out)))
    throw new UsageError(`--out ${out}: the profile is commented YAML; name a .yaml file`);
  if (flags.ask && !(process.stdin.isTTY && process.stderr.isTTY))
    throw new UsageError('--ask needs a terminal; without it the questions are in the file');
  const from = await learnFrom(flags, description);
  if (typeof from === 'number') return { text: '', code: from };
  const { start, target, signal, secrets } = from;
  const { summariseLearned, describeDifferences, rulesUnlockedBy } = await import('./learn-report.ts');
  const { writeLearned } = await import('../../learn/write/index.ts');
  const showValues = flags['show-values'];
  const isAsking = flags.ask && from.learned.questions.length > 0 && !signal.aborted;
  const { learned, ended } = isAsking
    ? await askedOnTerminal(from.learned, showValues)
    : { learned: from.learned, ended: undefined };
  const received = interruptionOf(signal) ?? ended?.received;
  const isEmpty = learned.answered.length === 0 && received === undefined;
  const schemas = out === undefined || isEmpty ? undefined : await writeSchemas(learned, out, flags.force);
  const yaml = isEmpty
    ? ''
    : writeLearned(schemas?.learned ?? learned, {
        source: target.replace(/^--(?:base-url |recordings )?/, ''),
        showValues,
        unlocks: rulesUnlockedBy,
        base: start.text,
      });
  const hide = redactor(secrets);
  const invalid = isEmpty ? undefined : await whyInvalid(yaml, out);
  const summary = [
    ...summariseLearned(learned, received !== undefined),
    ...describeDifferences(start, learned),
    ...(schemas?.sentence === undefined ? [] : [schemas.sentence]),
    ...(received === undefined ? [] : [`${interruptedBy(received)}; what is known so far is written`]),
    isEmpty
      ? `nothing is learned: no operation answered with a 2xx and a body that can be read; ${from.why}`
      : nextStep(target, out, learned.questions.length > 0),
    ...(invalid === undefined ? [] : [`our own error, please report it: the profile is not valid: ${invalid}`]),
  ];
  const printed = summary.map((line) => `${printable(hide(line))}\n`).join('');
  const code = firstToCount(
    received === undefined ? EXIT.ok : interruptedExitCode(received),
    isEmpty ? EXIT.undetermined : EXIT.ok,
    invalid === undefined ? EXIT.ok : EXIT.ownError,
  );
  if (out === undefined || isEmpty) {
    process.stderr.write(printed);
    return { text: hide(yaml), code };
  }
  // What its author wrote into the start stays in the file.
  await writeNamedFile(out, redactor(secrets.filter((each) => !start.text.includes(each)))(yaml));
  return { text: printed, code };
}

/** Writes the schemas of the description beside the profile, which then refers to them. A file that differs is kept without `--force`. */
async function writeSchemas(
  learned: Learned,
  out: string,
  force: boolean | undefined,
): Promise<{ learned: Learned; sentence?: string }> {
  if (!learned.schemas) return { learned };
  const { formatSchemas, schemasFileOf } = await import('./from-openapi.ts');
  const [file, text] = [schemasFileOf(out), formatSchemas(learned.schemas)];
  if (!force && existsSync(file) && readFileSync(file, 'utf8') !== text)
    return { learned, sentence: `${file} is kept, and differs from the description: give --force to replace it` };
  await writeNamedFile(file, text);
  const profile = { ...learned.profile, schemas: basename(file) };
  return { learned: { ...learned, profile }, sentence: `${file} written: the schemas that the responses match` };
}

/** Why a learned profile is none; undefined if it is one. */
async function whyInvalid(yaml: string, out = 'the profile'): Promise<string | undefined> {
  try {
    (await import('../../profile/parse-profile.ts')).parseProfile(yaml, out, process.env, 'keep');
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** The end of a summary. */
const nextStep = (target: string, out: string | undefined, hasQuestions: boolean): string =>
  `${out === undefined ? '' : `${out} written; `}next: ${hasQuestions ? 'answer the questions at its top, then ' : ''}mdwi ${target.startsWith('--recordings ') ? target.replace('--recordings', 'judge') : `run ${target}`} --profile ${out ?? 'FILE'}`;

/** Learns again, and returns what was found out about a key; writes nothing. */
export async function runWhy(args: string[]): Promise<PrintedAction> {
  const { values: flags, positionals } = parse(args, WHY_FLAGS, 2);
  const [key, file] = positionals;
  if (key === undefined) throw new UsageError('the key is missing, e.g. response.fields.asOf; see mdwi profile --help');
  const from = await learnFrom(flags, file);
  if (typeof from === 'number') return { text: '', code: from };
  const { learned, secrets, signal, why } = from;
  const received = interruptionOf(signal);
  if (received) throw new Interrupted(received);
  const { describeKey } = await import('./learn-report.ts');
  const hide = redactor(secrets);
  const text = [
    ...(why === undefined ? [] : [`no operation answered; ${why}`]),
    ...describeKey(key, learned, flags['show-values']),
  ]
    .map((line) => `${printable(hide(line))}\n`)
    .join('');
  return { text, code: learned.answered.length === 0 ? EXIT.undetermined : EXIT.ok };
}

/** Learns one service, and adds what was learned to the score. */
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { parse } from 'yaml';
import { type Group, type OperationKey, operationOf } from '../../src/contract/index.ts';
import type { Exchange } from '../../src/exchange/types.ts';
import { promisesIn } from '../../src/learn/promises.ts';
import type { Learned, LearnOptions } from '../../src/learn/types.ts';
import { writeLearned } from '../../src/learn/write/index.ts';
import { loadProfile } from '../../src/profile/load.ts';
import type { Description } from '../../src/profile/openapi/description.ts';
import { draftFromDescription } from '../../src/profile/openapi/draft.ts';
import { schemasDocument } from '../../src/profile/openapi/schemas.ts';
import type { Profile } from '../../src/profile/schema.ts';
import type { Run } from '../../src/run/types.ts';
import { type Binding, compareBindings } from './bindings.ts';
import { ceilingOf, checkOf, failuresOf, judge, passesOf, provableChecks } from './checks.ts';
import { lineOf, shortName } from './lines.ts';
import type { Score } from './score.ts';
import { checkedProfile, type Opened, openReference, type Service, type ServiceFault, startOf } from './services.ts';
import { createReader, fetchPages, type Page, readPages, type Visit, visitAll } from './world.ts';

export interface TrialOptions {
  readonly groups: readonly Group[];
  readonly operations: readonly OperationKey[];
  readonly safety: 'read' | 'job';
  readonly learnProfile: (options: LearnOptions) => Promise<Learned>;
}

/** What the learner returned, with its profile as the product checks it. */
export interface Result {
  readonly learned: Learned;
  readonly profile: Profile;
  readonly seconds: number;
  readonly bindings: readonly Binding[];
}

const SCHEMAS = join(tmpdir(), `acme-${process.pid}.json`);

/** Adds the schemas of the description, in a temporary file that the next service overwrites. */
function withSchemasFile(learned: Learned): Learned {
  if (!learned.schemas) return learned;
  writeFileSync(SCHEMAS, JSON.stringify(schemasDocument(learned.schemas)));
  return { ...learned, profile: { ...learned.profile, schemas: SCHEMAS } };
}

/** What a description says without its service, as `mdwi profile from-openapi` reads it. */
async function draftProfile({ description, start }: LearnOptions): Promise<Learned> {
  const { profile, schemas, undecided } = draftFromDescription(description as Description);
  const { name: _, auth: __, authFor: ___, authExcept: ____, ...drafted } = profile;
  return {
    ...{ profile: { ...drafted, ...start }, seen: {}, schemas, settled: [], questions: [], promises: [], defects: [] },
    ...{ verdicts: [], requests: 0, bytes: 0, isLimitReached: false, received: [] },
    open: undecided.map(({ opening, why }) => ({ path: [opening], why })),
    answered: Object.keys(drafted.operations ?? {}),
  };
}

type Say = (line: string) => void;

/** What the learner has besides the start: a description of the service, or traffic of a client in place of the service. */
export interface Given {
  readonly description?: Description | undefined;
  readonly isRecorded?: boolean;
  /** Whether the description is all there is: nothing is sent. */
  readonly isAlone?: boolean;
}

interface FaultOptions {
  readonly given: Given;
  readonly count: number;
  /** The checks that fail without a fault. */
  readonly accusing: ReadonlySet<string>;
}

const isWrong = ({ isRight }: Binding): boolean => isRight === false;
const keyOf = ({ operation, label }: Binding): string => `${operation} ${label}`;

/** Opens the second world of a service. */
export async function openTrial(service: Service, { groups, operations, safety, learnProfile }: TrialOptions) {
  const second = await service.open('second');
  const truth = createReader(service.truth, second);
  const visits = await visitAll(truth, groups);
  const reference = service.kind === 'strangers' ? undefined : await openedReference();

  async function recordedOf(opened: Opened): Promise<Exchange[]> {
    const client = createReader(service.truth, opened);
    try {
      return (await visitAll(client, groups)).flatMap(({ exchanges }) => exchanges);
    } finally {
      await client.source.close();
    }
  }

  async function learn(
    { description, isRecorded, isAlone }: Given,
    fault?: string,
  ): Promise<Result | { error: string }> {
    const opened = await service.open('first', fault);
    const start = startOf(service);
    const recorded = isRecorded ? await recordedOf(opened) : undefined;
    const began = performance.now();
    let result: Omit<Result, 'bindings'>;
    try {
      const learned = withSchemasFile(
        await (isAlone ? draftProfile : learnProfile)({
          ...{ base: opened.base, start, description, recorded, network: opened.network, safety },
          ...(service.kind !== 'strangers' && { wait: async () => undefined }),
        }),
      );
      const seconds = (performance.now() - began) / 1000;
      result = { learned, seconds, profile: checkedProfile(learned.profile, `${service.name}, learned`) };
    } catch (error) {
      return { error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
    } finally {
      await opened.close();
    }
    return { ...result, bindings: await compare(result.profile) };
  }

  async function compare(profile: Profile): Promise<Binding[]> {
    const learned = createReader(profile, second);
    try {
      return await compareBindings({ truth, learned, visits, reference });
    } finally {
      await learned.source.close();
    }
  }

  const textOf = (learned: Learned): string => writeLearned(learned, { source: service.name });

  /** Learns again: the file must be the same. */
  async function scoreAgain({ learned }: Result, given: Given, score: Score, say: Say) {
    score.learnedTwice++;
    const again = await learn(given);
    if (!('error' in again) && textOf(again.learned) === textOf(learned)) return;
    score.unstable++;
    say('learned again, the file differs');
  }

  /** Adds what is right and what is settled. */
  async function scoreBindings({ learned, profile, bindings, seconds }: Result, score: Score, say: Say): Promise<void> {
    const answered = new Set(learned.answered);
    const counted = bindings.filter((each) => each.isCounted && answered.has(each.operation));
    score.right += bindings.filter(({ isRight }) => isRight).length;
    score.wrong += bindings.filter(isWrong).length;
    score.undecided += bindings.filter((each) => each.learned !== undefined && each.isRight === undefined).length;
    score.bindings += counted.length;
    score.settled += counted.filter((each) => each.learned !== undefined).length;
    score.answered += operations.filter((key) => answered.has(key)).length;
    score.questions.push(learned.questions.length);
    const stated = new Set(promisesIn(startOf(service)).map(String));
    const promises = promisesIn(learned.profile).filter((path) => !stated.has(String(path)));
    score.promises += promises.length;
    const text = textOf(learned).trimEnd();
    if (!isDeepStrictEqual(checkedProfile(parse(text, { merge: true }), service.name).data, profile.data)) {
      score.otherwise++;
      say('the written file reads otherwise');
    }
    const written = text.split('\n').filter((line) => line.trim() !== '');
    const lines = written.filter((line) => !line.trim().startsWith('#')).length;
    score.lines.push(lines);
    score.requests.push(learned.requests);
    if (service.kind === 'strangers') {
      score.seconds.push(seconds);
      score.strangerLines.push(lines);
      score.strangerComments.push(written.length - lines);
    }
    for (const each of bindings) {
      const line = lineOf(each, learned);
      if (line === undefined) continue;
      say(line);
      const kind = isWrong(each) ? 'wrong' : each.learned === undefined ? 'not settled' : 'undecided';
      const name = `${kind}: ${each.label}`;
      score.tally.set(name, (score.tally.get(name) ?? 0) + 1);
    }
    for (const path of promises) say(`promises ${path.map(String).join('.')}`);
    const notReached = operations.filter((key) => !answered.has(key) && service.truth.data.operations?.[key]?.request);
    if (notReached.length > 0) say(`without a 2xx: ${notReached.map(shortName).join(', ')}`);
  }

  let provable: Promise<ReadonlySet<string>> | undefined;

  /** Adds what the profile proves, and whether it accuses the service: returns the checks that do. */
  async function scoreChecks({ profile }: Result, score: Score, say: Say): Promise<Set<string>> {
    provable ??= provableChecks(service, groups);
    const run = await judge(service, profile, groups);
    const ceiling = await provable;
    const passes = passesOf(run);
    score.judged++;
    const failures = failuresOf(run);
    if (failures.length > 0) score.accused++;
    for (const failure of failures)
      say(`ACCUSED ${checkOf(failure)}: ${failure.findings[0]?.actual ?? failure.note ?? ''}`);
    score.provable += ceiling.size;
    const missing = [...ceiling].filter((check) => !passes.has(check));
    score.proved += ceiling.size - missing.length;
    const unproved = Map.groupBy(missing, (check) => check.split(' ')[0] as string);
    for (const [rule, checks] of unproved) say(`unproved ${rule} (${checks.length})`);
    return new Set(failures.map(checkOf));
  }

  const caughtByCeiling = new Map<string, Promise<Run['results']>>();

  /** Adds what the profile of the conforming service catches, and what becomes of a fault that the learner meets. */
  async function scoreFaults(
    { profile, bindings, learned }: Result,
    { given, count, accusing }: FaultOptions,
    score: Score,
    say: Say,
  ): Promise<void> {
    const wrongBefore = new Set(bindings.filter(isWrong).map(keyOf));
    const settledBefore = new Set(bindings.filter((each) => each.learned !== undefined).map(keyOf));
    /** A check that fails without the fault, too, catches nothing. */
    const failuresWith = async (judging: Profile, { name, groups: ofFault }: ServiceFault) =>
      failuresOf(await judge(service, judging, ofFault, name));
    const catches = async (judging: Profile, fault: ServiceFault) =>
      (await failuresWith(judging, fault)).some((each) => !accusing.has(checkOf(each)));
    for (const drawn of service.faults(count, groups)) {
      const fault = drawn.name;
      const ceiling = caughtByCeiling.get(fault) ?? failuresWith(ceilingOf(service), drawn);
      caughtByCeiling.set(fault, ceiling);
      if ((await ceiling).length === 0) continue;
      score.catchable++;
      const isCaught = await catches(profile, drawn);
      if (isCaught) score.caught++;
      else say(`fault ${fault}: not caught, the ceiling fails ${(await ceiling).map(checkOf).join(', ')}`);
      const met = await learn(given, fault);
      score.learnedFaulty++;
      if ('error' in met) {
        say(`learned with ${fault}: ${met.error}`);
        continue;
      }
      const adopted = met.bindings.filter((each) => isWrong(each) && !wrongBefore.has(keyOf(each)));
      if (adopted.length > 0) score.adopted++;
      // What is open without the fault, too, explains only a fault that is not caught then either.
      const isLeft = met.bindings.some(
        (each) =>
          drawn.groups.includes(operationOf(each.operation).group) &&
          each.truth !== undefined &&
          each.learned === undefined &&
          (!isCaught || settledBefore.has(keyOf(each))),
      );
      const isNamed = met.learned.defects.length > learned.defects.length;
      if (isLeft || isNamed || (await catches(met.profile, drawn))) score.owned++;
      else say(`learned with ${fault}: hidden`);
      for (const each of adopted) say(`learned with ${fault}: ADOPTED ${lineOf(each, met.learned)}`);
    }
  }

  return {
    learn: (given: Given) => learn(given),
    ...{ scoreAgain, scoreBindings, scoreChecks, scoreFaults },
    async close() {
      await truth.source.close();
      await reference?.close();
      await second.close();
    },
  };
}

/** The reference dialect with the data of the second world: it states what the true profile of a service leaves out. */
async function openedReference() {
  const opened: Opened = await openReference('second');
  const reader = createReader(await loadProfile('reference'), opened);
  const known = new Map<string, Promise<Page[]>>();
  return {
    /** The pages of the same request. */
    async pagesOf({ operation, inputs }: Pick<Visit, 'operation' | 'inputs'>): Promise<Page[]> {
      // The ids of jobs are those of each service.
      if (operationOf(operation).group === 'A') return [];
      const key = JSON.stringify([operation, inputs]);
      const found =
        known.get(key) ??
        fetchPages(reader, operation, inputs).then((exchanges) => readPages(reader, { operation, inputs, exchanges }));
      known.set(key, found);
      return found;
    },
    close: () => reader.source.close(),
  };
}

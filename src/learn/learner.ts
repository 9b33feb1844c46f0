/** What the learner knows so far: the answers of each operation, their bindings, and the values that operations share. */

import {
  FILTER_INPUTS,
  type Field,
  INPUT_NAMES,
  type Input,
  type OperationKey,
  operationOf,
  operationsOfKind,
  PAGING_INPUTS,
  SALES_FILTERS,
} from '../contract/index.ts';
import type { Description } from '../profile/openapi/description.ts';
import type { Draft } from '../profile/openapi/draft.ts';
import { joinWords } from '../profile/openapi/name-words.ts';
import { isPlainObject, objectAt, type PlainObject } from '../profile/plain-object.ts';
import type { RequestTemplate } from '../profile/schema.ts';
import { compileSelector } from '../profile/selector.ts';
import type { Inputs, InputValue } from '../profile/template.ts';
import type { Row } from '../reading/types.ts';
import type { Answer, Asker } from './ask.ts';
import { placesBeside } from './binding/beside.ts';
import { bindResponse } from './binding/bind.ts';
import type { BindingContext } from './binding/binding-context.ts';
import { codeTablesIn } from './binding/code-tables.ts';
import type { BoundResponse } from './binding/describe-binding.ts';
import { type LearnedTable, scalarOf } from './binding/places.ts';
import { readOnce, readRows } from './binding/read-rows.ts';
import { Structure } from './binding/structure.ts';
import { statedRows, withStated } from './declared/stated-binding.ts';
import { type DescribedNames, describedNames } from './described-names.ts';
import { parametersFor } from './groups/parameters.ts';
import { isRefusalBy, type SeenRefusal } from './refusals.ts';
import type { LikelyDefect, Open, Question, SeenPromise, Settled } from './types.ts';
import { isNameOf, namesFor, type Spelling, spellingOf, withoutPrefix } from './words.ts';

/** The fields whose values several operations have. */
const SHARED_FIELDS: readonly Field[] = ['upc', 'categoryId', ...SALES_FILTERS, 'market'];

const SUGGESTIONS = new Set([...FILTER_INPUTS, ...PAGING_INPUTS].map((input) => `{${input}}`));

interface LearnedOperation {
  request: PlainObject;
  paging?: PlainObject;
  /** What responses say about themselves. */
  readonly statements: { counts?: readonly unknown[]; echoes?: PlainObject };
  /** Answers to valid requests whose rows are not filtered, the first page first. */
  answers: Answer[];
  bound?: BoundResponse | undefined;
  /** The neutral rows of `answers`. */
  rows: readonly Row[];
}

/** An input of a request that a start states, and what the responses show about it. */
interface StatedInput {
  readonly operation: OperationKey;
  readonly input: Input;
  readonly sentence: string;
}

export class Learner {
  readonly asker: Asker;
  readonly draft: Draft | undefined;
  readonly forms = new Map<string, string>();
  readonly operations = new Map<OperationKey, LearnedOperation>();
  /** The names by which a refused status request says what it lacks. */
  jobIdNames: ReadonlySet<string> = new Set();
  /** The starts whose job id no status accepts. */
  readonly unconfirmed = new Set<OperationKey>();
  readonly settled: Settled[] = [];
  readonly questions: Question[] = [];
  readonly open: Open[] = [];
  readonly promises: SeenPromise[] = [];
  readonly defects: LikelyDefect[] = [];
  /** Inputs of the requests that the start states without which the responses are equal. */
  readonly withoutEffect: StatedInput[] = [];
  /** Whether an invented parameter has the effect of the one before; undefined: not known. */
  repeats?: boolean;
  /** Values that the service accepts, for inputs of which no list has them at hand. */
  readonly examples: Record<string, unknown> = {};

  /** What a description lists for an operation. */
  readonly #described: ReadonlyMap<OperationKey, DescribedNames>;

  readonly structure = new Structure();

  constructor(asker: Asker, draft: Draft | undefined, description?: Description) {
    this.asker = asker;
    this.draft = draft;
    this.#described = description ? describedNames(description) : new Map();
  }

  /** The members of the body that a description lists for an operation, by the member around them; undefined: none. */
  describedBody(key: OperationKey): DescribedNames['body'] {
    return this.#described.get(key)?.body;
  }

  /**
   * The names that a query parameter of an operation may have, in chunks, the likeliest first: those that other operations
   * use, those that a description lists, else those that services use.
   */
  namesFor(key: OperationKey, input: Input): string[][] {
    const sent = this.requests(key).flatMap(({ query, headers }) =>
      Object.entries({ ...(query as object), ...(headers as object) }),
    );
    const own = [...this.operations.values()].flatMap(({ bound, request }) => [
      ...(bound?.named ?? []).flatMap(({ field, name }) => ((field as string) === input ? [name] : [])),
      ...parametersFor(request, input),
    ]);
    const drafted = this.requests(key).flatMap((request) => parametersFor(request, input));
    // Parameters are often written as members are, but for the first letter.
    const written = own.filter((name) => !/^[@#]/.test(name)).flatMap((name) => [name, uncapitalised(name)]);
    const first = [...new Set([...written, ...drafted])];
    const described = this.#described.get(key)?.parameters;
    if (!described) return [first, ...namesFor(input, this.spelling())];
    const taken = new Set(sent.flatMap(([name, value]) => (/^\{\w+\}$/.test(String(value)) ? [name] : [])));
    const free = described.filter((name) => !taken.has(name));
    // A value for another parameter would spoil the answer: names of this input go together, all others alone.
    const meanings = this.meaningsFrom();
    const means = (each: Input, name: string) =>
      meanings.get(joinWords(withoutPrefix(name))) === each || isNameOf(each, name);
    const like = free.filter((name) => means(input, name));
    const unknown = free.filter((name) => !INPUT_NAMES.some((each) => means(each, name)));
    const isDescribed = (name: string): boolean => described.includes(name) || drafted.includes(name);
    const ofOthers = first.filter((name) => !isDescribed(name));
    return [first.filter(isDescribed), like, ...unknown.slice(0, MAX_UNKNOWN).map((name) => [name]), ofOthers];
  }

  /** The operation as a description drafts it. */
  #drafted(operation: OperationKey): PlainObject {
    return objectAt(objectAt(this.draft?.profile, 'operations'), operation);
  }

  /** The requests that are known beforehand: that of the start, that of recorded exchanges, that of a description. */
  requests(key: OperationKey): PlainObject[] {
    const { stated, recorded } = this.asker;
    return [stated[key]?.request, recorded.get(key)?.request, this.#drafted(key).request].filter(isPlainObject);
  }

  /** The inputs of the recorded requests of an operation that have an input, the plainest first. */
  recordedWith(key: OperationKey, input: Input): readonly Inputs[] {
    return this.asker.recorded.get(key)?.inputs.filter((each) => each[input] !== undefined) ?? [];
  }

  operation(key: OperationKey): LearnedOperation {
    const known = this.operations.get(key) ?? { request: {}, statements: {}, answers: [], rows: [] };
    this.operations.set(key, known);
    return known;
  }

  /** The ids of jobs in recorded requests. */
  recordedJobIds(): InputValue[] {
    return operationsOfKind('jobStatus').flatMap((key) =>
      this.recordedWith(key, 'jobId').flatMap(({ jobId }) => jobId ?? []),
    );
  }

  /** Sends the request of an operation as it is known so far. */
  ask(
    key: OperationKey,
    inputs: Answer['inputs'] = {},
    request: PlainObject = this.operation(key).request,
  ): Promise<Answer | undefined> {
    return this.asker.ask(key, request as RequestTemplate, inputs);
  }

  /** Sends the requests that are known beforehand, else the bare one, and keeps the first answer. */
  async begin(key: OperationKey, inputs: Answer['inputs'] = {}): Promise<Answer | undefined> {
    const operation = this.operation(key);
    const plain = this.asker.recorded.get(key)?.inputs.find((each) => !FILTER_INPUTS.some((filter) => filter in each));
    for (const request of [...this.requests(key), {}]) {
      const answer = await this.ask(key, { ...withoutPage(plain), ...inputs }, request);
      if (!answer?.isSuccess) continue;
      // What a description says of filters and pages is a suggestion: a wrong one would accuse a conforming service.
      operation.request = request === this.asker.stated[key]?.request ? request : withoutSuggestions(request);
      operation.answers.push(answer);
      return answer;
    }
    if (this.asker.recorded.has(key) && !plain)
      this.open.push({ path: ['operations', key, 'request'], why: 'every recorded request has a filter' });
    return undefined;
  }

  /** Whether the request of an answer sends its inputs as that of the operation does: other names may have no effect. */
  isSentAsSettled({ operation, request, inputs }: Answer): boolean {
    const settled = this.operation(operation).request;
    return Object.keys(inputs).every((input) => placesOfInput(request, input) === placesOfInput(settled, input));
  }

  /** Notes that a declared input of a request changes nothing in the response. */
  noteWithoutEffect(operation: OperationKey, input: Input, sentence: string): void {
    this.withoutEffect.push({ operation, input, sentence });
  }

  /** Takes answers for refusals to which a condition applies, and binds without them. */
  addRefusal(condition: SeenRefusal): void {
    this.asker.addRefusal(condition);
    for (const [key, operation] of this.operations) {
      operation.answers = operation.answers.filter((answer) => !isRefusalBy(condition, answer));
      this.bind(key);
    }
  }

  /** Binds an operation anew, with what all other operations show. */
  bind(key: OperationKey): void {
    const operation = this.operation(key);
    if (operation.answers.length === 0) {
      operation.bound = undefined;
      return;
    }
    const stated = statedRows(this.asker, key, operation.answers);
    const learned = bindResponse(
      operation.answers,
      { ...this.contextOf(key), stated: stated?.hasValues ? stated.list : undefined },
      this,
    );
    operation.bound = withStated(this.asker, key, learned, stated);
    const { bound } = operation;
    operation.rows = bound ? operation.answers.flatMap((answer) => readRows(bound.response, answer)) : [];
  }

  /** The tables of codes so far. A start that states fields decides itself which of them are codes. */
  tables(): LearnedTable[] {
    const isStated = Object.values(this.asker.stated).some((each) => each?.response?.fields);
    return isStated ? [] : codeTablesIn(this.operations);
  }

  /** What is known of an operation where its places are compared with its fields. */
  contextOf(key: OperationKey): BindingContext {
    const fields = objectAt(objectAt(this.#drafted(key), 'response'), 'fields');
    const suggested = new Map(
      Object.entries(fields).map(([field, value]) => [
        field as Field,
        typeof value === 'string' ? value : String(objectAt(fields, field).at),
      ]),
    );
    return {
      operation: key,
      known: this.knownFrom(key),
      meanings: this.meaningsFrom(key),
      suggested,
      tables: this.tables(),
      ...(operationOf(key).kind === 'jobStart' && { jobIdNames: this.jobIdNames, ofOtherJobs: this.#ofOtherJobs(key) }),
      ...this.structure.of(key, this.operations),
    };
  }

  /** The values in the answers to other starts of jobs. */
  #ofOtherJobs(key: OperationKey): Set<string> {
    const others = operationsOfKind('jobStart').filter((each) => each !== key);
    return new Set(
      others.flatMap((each) =>
        placesBeside(this.operations.get(each)?.answers ?? []).flatMap(({ cells }) => cells.map(String)),
      ),
    );
  }

  /** The likeliest value of a field in the last answer of an operation. */
  valueOf(key: OperationKey, field: Field): unknown {
    const { bound, answers } = this.operation(key);
    const last = answers.at(-1);
    const at = bound?.likely[field];
    if (!bound || !last || at === undefined) return undefined;
    const [row] = readRows({ ...bound.response, fields: { [field]: at } }, last);
    return row?.[field] ?? readOnce(field, at, last);
  }

  /** The values of shared fields that other operations have. */
  knownFrom(key: OperationKey): Map<Field, Set<string>> {
    const jobIds = new Set(operationOf(key).kind === 'jobStart' ? this.recordedJobIds().map(String) : []);
    const known = new Map<Field, Set<string>>(jobIds.size > 0 ? [['jobId', jobIds]] : []);
    for (const [other, { bound, rows, answers }] of this.operations) {
      if (other === key || !bound) continue;
      for (const field of SHARED_FIELDS) {
        const values = known.get(field) ?? new Set();
        for (const row of rows) for (const each of [row[field]].flat()) if (typeof each === 'string') values.add(each);
        for (const each of valuesOnce(bound.response, field, answers)) values.add(each);
        known.set(field, values);
      }
    }
    return known;
  }

  /** The fields that names of other operations have: a service uses one name for one thing. */
  meaningsFrom(key?: OperationKey): Map<string, Field> {
    const meanings = new Map<string, Field>();
    for (const [other, { bound }] of this.operations)
      if (other !== key && bound) for (const { names, field } of bound.named) meanings.set(names, field);
    return meanings;
  }

  /** How the service writes names, by those in its answers. */
  spelling(): Spelling {
    return spellingOf(
      [...this.operations.values()].flatMap(({ answers }) =>
        answers.slice(0, 1).flatMap(({ document }) => namesIn(document)),
      ),
    );
  }
}

const uncapitalised = (name: string): string =>
  name === name.toUpperCase() ? name.toLowerCase() : name.slice(0, 1).toLowerCase() + name.slice(1);

/** Where a request has an input, and how it spells the values, as a text. */
function placesOfInput(request: object, input: string): string {
  const found: string[] = [];
  const visit = (node: unknown, at: string): void => {
    if (typeof node === 'string' && node.includes(`{${input}}`)) found.push(`${at} ${node}`);
    if (typeof node === 'object' && node !== null)
      for (const [name, child] of Object.entries(node)) visit(child, `${at}/${name}`);
  };
  visit(request, '');
  return JSON.stringify([found, (request as { spellings?: PlainObject }).spellings?.[input]]);
}

/** Inputs without those that select a page. */
export const withoutPage = (inputs: Inputs = {}): Inputs =>
  Object.fromEntries(Object.entries(inputs).filter(([input]) => !(PAGING_INPUTS as readonly string[]).includes(input)));

/** A request without the parameters that filter a list or select a page: the learner adds those that have an effect. */
function withoutSuggestions({ query, ...request }: PlainObject): PlainObject {
  const left = Object.entries((query ?? {}) as PlainObject).filter(([, value]) => !SUGGESTIONS.has(String(value)));
  return { ...request, ...(left.length > 0 && { query: Object.fromEntries(left) }) };
}

function valuesOnce({ fields }: PlainObject, field: Field, answers: readonly Answer[]): string[] {
  const binding = objectAt({ fields }, 'fields')[field];
  const at = typeof binding === 'string' ? binding : objectAt({ binding }, 'binding').at;
  if (typeof at !== 'string' || !at.startsWith('$')) return [];
  return answers.flatMap((answer) =>
    compileSelector(at)
      .select(answer.document, answer.head)
      .map(scalarOf)
      .filter((each) => typeof each === 'string'),
  );
}

const MAX_NAMES = 400;
/** The parameters of unknown meaning that are tried for an input. */
const MAX_UNKNOWN = 4;

/** The member names of a document. */
function namesIn(document: unknown): string[] {
  const names = new Set<string>();
  const visit = (node: unknown, level: number): void => {
    if (names.size > MAX_NAMES || level > 8 || typeof node !== 'object' || node === null) return;
    if (Array.isArray(node)) for (const each of node.slice(0, 3)) visit(each, level + 1);
    else
      for (const [name, child] of Object.entries(node)) {
        if (!name.startsWith('#')) names.add(name);
        visit(child, level + 1);
      }
  };
  visit(document, 0);
  return [...names];
}

/**
 * Extracts the inputs of a request: the inverse of the profile’s request template. The simulator reads client requests with it,
 * and `judge` reads recorded requests.
 */
import type { Input } from '../../contract/index.ts';
import { readMultipart } from '../multipart.ts';
import type { RequestPairs } from '../schema/request.ts';
import type { RequestTemplate } from '../schema.ts';
import { inputsIn } from '../template.ts';
import { clausesReader, type TextReader, textReaderOf, type WireInputs, XML, xmlLiteral } from './pattern.ts';

/** Inputs by their neutral names; all values are texts. */
export type ReadInputs = { readonly [I in Input]?: string };

/** The parts of a request that can contain inputs. */
export interface RequestInputParts {
  readonly query: URLSearchParams;
  /** Names in lower case. */
  readonly headers: { readonly [name: string]: string | readonly string[] | undefined };
  readonly body: Uint8Array;
}

/** Returns undefined if a part of the request cannot be read. */
export type RequestReader = (request: RequestInputParts) => ReadInputs | undefined;

type PartReader = (request: RequestInputParts) => WireInputs | undefined;
const NOTHING: WireInputs = new Map();

/** Reads the values of one parameter, each with the first unused reader that matches. */
function readTexts(texts: readonly string[], readers: readonly TextReader[]): WireInputs | undefined {
  let unused = readers;
  const all: WireInputs[] = [];
  for (const text of texts) {
    const matching = unused.find((reader) => reader(text));
    // A value without a matching reader is a constant of the template or unrelated, and is ignored.
    if (!matching) continue;
    all.push(matching(text) as WireInputs);
    unused = unused.filter((each) => each !== matching);
  }
  return merge(all);
}

/** All inputs, or undefined if one input has two values. */
function merge(all: readonly (WireInputs | undefined)[]): WireInputs | undefined {
  const found = new Map<Input, string>();
  for (const each of all) {
    if (!each) return undefined;
    for (const [input, value] of each) {
      if (found.has(input) && found.get(input) !== value) return undefined;
      found.set(input, value);
    }
  }
  return found;
}

const mentionsInput = (text: unknown): boolean => inputsIn(String(text)).length > 0;
const textOf = (body: Uint8Array): string | undefined => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    return undefined;
  }
};

type PairsReader = (pairs: { getAll(name: string): readonly string[] }) => WireInputs | undefined;

function pairsReaders(values: RequestPairs): PairsReader[] {
  return Object.entries(values).flatMap(([name, value]): PairsReader[] => {
    if (typeof value === 'object' && !Array.isArray(value)) {
      const read = clausesReader(value);
      return [(sent) => merge(sent.getAll(name).map(read))];
    }
    const readers = (Array.isArray(value) ? value : [value])
      .filter(mentionsInput)
      .map((each) => textReaderOf(String(each)));
    return readers.length === 0 ? [] : [(sent) => readTexts(sent.getAll(name), readers)];
  });
}

const headerReaders = (headers: NonNullable<RequestTemplate['headers']>): PartReader[] =>
  Object.entries(headers)
    .filter(([, value]) => mentionsInput(value))
    .map(([name, value]): PartReader => {
      const readers = [textReaderOf(value)];
      return ({ headers: sent }) => readTexts([sent[name.toLowerCase()] ?? []].flat(), readers);
    });

type JsonReader = (value: unknown) => WireInputs | undefined;
const isScalar = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value);
const hasInputsWithin = (template: unknown): boolean => mentionsInput(JSON.stringify(template) ?? '');

/**
 * Reads a JSON value by its template: undefined if it does not match. Constants must match only within lists, where they
 * distinguish the elements; elsewhere any value is accepted.
 */
function jsonReader(template: unknown, compareConstants = false): JsonReader {
  if (typeof template === 'string' && mentionsInput(template)) {
    const read = textReaderOf(template);
    return (value) => (value === undefined ? NOTHING : isScalar(value) ? read(String(value)) : undefined);
  }
  if (Array.isArray(template)) {
    const elements = template.filter(hasInputsWithin).map((each) => jsonReader(each, true));
    return (value) => {
      if (!Array.isArray(value)) return NOTHING;
      let unused = elements;
      return merge(
        value.map((each) => {
          const matching = unused.find((read) => read(each));
          unused = unused.filter((read) => read !== matching);
          return matching?.(each) ?? NOTHING;
        }),
      );
    };
  }
  if (typeof template === 'object' && template !== null) {
    const members = Object.entries(template).map(([name, each]) => [name, jsonReader(each, compareConstants)] as const);
    return (value) => {
      if (typeof value !== 'object' || value === null || Array.isArray(value))
        return compareConstants ? undefined : NOTHING;
      return merge(
        members.map(([name, read]) => read(Object.hasOwn(value, name) ? (value as never)[name] : undefined)),
      );
    };
  }
  return (value) => (compareConstants && value !== template ? undefined : NOTHING);
}

function multipartReader(template: NonNullable<RequestTemplate['multipart']>): PartReader {
  const entries = Object.entries(template);
  const isFile = (value: unknown): value is { readonly filename: string; readonly text: string } =>
    typeof value === 'object' && value !== null && !Array.isArray(value);
  const values = pairsReaders(
    Object.fromEntries(entries.flatMap(([name, value]) => (isFile(value) ? [] : [[name, value] as const]))),
  );
  const files = entries.flatMap(([name, value]) =>
    isFile(value) ? [{ name, readFilename: textReaderOf(value.filename), readText: textReaderOf(value.text) }] : [],
  );
  return ({ body }) => {
    const parts = readMultipart(textOf(body) ?? '');
    if (!parts) return undefined;
    const getAll = (name: string) => parts.filter((part) => part.name === name).map(({ text }) => text);
    const inFiles = files.flatMap((file) =>
      parts
        .filter(({ name, filename }) => name === file.name && filename !== undefined)
        .flatMap(({ filename = '', text }) => [file.readFilename(filename) ?? NOTHING, file.readText(text) ?? NOTHING]),
    );
    return merge([...values.map((read) => read({ getAll })), ...inFiles]);
  };
}

function bodyReader({ json, form, multipart, xml, raw }: RequestTemplate): PartReader[] {
  if (json !== undefined) {
    const read = jsonReader(json);
    return [
      ({ body }) => {
        const text = textOf(body);
        if (text === undefined) return undefined;
        try {
          return text.trim() === '' ? NOTHING : read(JSON.parse(text));
        } catch {
          return undefined;
        }
      },
    ];
  }
  if (form) {
    const readers = pairsReaders(form);
    return [
      ({ body }) => {
        const sent = new URLSearchParams(textOf(body) ?? '');
        return merge(readers.map((read) => read(sent)));
      },
    ];
  }
  if (multipart) return [multipartReader(multipart)];
  const template = xml ?? raw?.text;
  if (template === undefined || !mentionsInput(template)) return [];
  const read = xml === undefined ? textReaderOf(template) : textReaderOf(template.trim(), XML, xmlLiteral);
  return [
    ({ body }) => {
      const text = textOf(body);
      const found = text === undefined ? undefined : read(xml === undefined ? text : text.trim());
      // An XML or raw body is always sent; an absent input appears as an empty text.
      return found && new Map([...found].filter(([, value]) => value !== ''));
    },
  ];
}

/** Converts a wire value to its neutral value. */
function neutralValueOf(input: Input, value: string, spellings: RequestTemplate['spellings']): string {
  const entries = Object.entries(spellings?.[input] ?? {});
  return entries.find(([, spelling]) => String(spelling) === value)?.[0] ?? value;
}

/** The reader of an operation’s requests. */
export function requestReader(template: RequestTemplate = {}): RequestReader {
  const parts = [
    ...pairsReaders(template.query ?? {}).map(
      (read): PartReader =>
        ({ query }) =>
          read(query),
    ),
    ...headerReaders(template.headers ?? {}),
    ...bodyReader(template),
  ];
  return (request) => {
    const found = merge(parts.map((part) => part(request)));
    return (
      found &&
      Object.fromEntries([...found].map(([input, value]) => [input, neutralValueOf(input, value, template.spellings)]))
    );
  };
}

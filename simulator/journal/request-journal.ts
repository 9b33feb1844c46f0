/** The requests that a simulator received, without bodies, headers and values of credentials. */
import { isOperationKey, type OperationKey } from '../../src/contract/index.ts';
import { didYouMeanOperation } from '../../src/profile/did-you-mean.ts';
import type { Query } from '../model/types.ts';
import type { RequestProblem } from './request-problem.ts';

/** A received request. */
export interface JournalEntry {
  /** 1 for the first request since the start or the last reset. */
  readonly id: number;
  readonly method: string;
  /** Below the base path, without the query. */
  readonly path: string;
  /** Absent when the request matches no operation. */
  readonly operation?: OperationKey;
  /** The inputs that the dialect read. */
  readonly inputs: Query;
  /** Absent when nothing is wrong with the request. */
  readonly problem?: RequestProblem;
  /** What is unusual, and legal. */
  readonly notes?: readonly RequestProblem[];
  readonly status: number;
}

/** What a client did wrong: one finding per kind of problem and operation. */
export interface ClientFinding {
  /** The first request with the problem. */
  readonly request: Pick<JournalEntry, 'id' | 'method' | 'path' | 'operation' | 'inputs'>;
  readonly problem: RequestProblem;
  /** The number of requests with this problem. */
  readonly count: number;
}

export interface ClientVerdict {
  /** Whether nothing is wrong with any request. False if there was no request: nothing is proved then. */
  readonly conforms: boolean;
  readonly requests: number;
  readonly findings: readonly ClientFinding[];
  /** What is unusual, and legal: unknown parameters, pages beyond the end, refusals after which the client sent credentials. */
  readonly notes: readonly ClientFinding[];
}

/** The number of entries that are kept; the oldest ones are dropped. */
const MAX_ENTRIES = 10_000;

export class RequestJournal {
  #entries: JournalEntry[] = [];
  readonly #findings = new Map<string, ClientFinding>();
  readonly #notes = new Map<string, ClientFinding>();
  #count = 0;

  add(entry: Omit<JournalEntry, 'id'>): void {
    this.#count += 1;
    const numbered = { id: this.#count, ...entry };
    this.#entries.push(numbered);
    // Half of the entries at once, so that dropping costs little per request.
    if (this.#entries.length >= 2 * MAX_ENTRIES) this.#entries = this.#entries.slice(-MAX_ENTRIES);
    if (entry.problem) count(this.#findings, numbered, entry.problem);
    if (entry.problem?.code !== 'unauthorized') this.#excuseRefusal(numbered);
    for (const note of entry.notes ?? []) count(this.#notes, numbered, note);
  }

  /**
   * The latest requests, at most 10 000, of one operation or of all.
   * @param operation e.g. `GET /PLATFORMAPI/prodRef/v1/updateProducts`
   * @throws an Error for an operation that is not in the document
   */
  requests(operation?: string): readonly JournalEntry[] {
    if (operation !== undefined && !isOperationKey(operation))
      throw new Error(
        `${JSON.stringify(operation)} is not an operation of the document, e.g. GET /webservices/testService${didYouMeanOperation(operation)}`,
      );
    const latest = this.#entries.slice(-MAX_ENTRIES);
    return operation === undefined ? latest : latest.filter((entry) => entry.operation === operation);
  }

  /** The verdict on the client, over all requests since the start or the last reset. */
  client(): ClientVerdict {
    const findings = [...this.#findings.values()];
    const notes = [...this.#notes.values()];
    return { conforms: this.#count > 0 && findings.length === 0, requests: this.#count, findings, notes };
  }

  clear(): void {
    this.#entries = [];
    this.#findings.clear();
    this.#notes.clear();
    this.#count = 0;
  }

  /** A client may wait for a refusal before it sends credentials, or a new token (RFC 9110, 11.6.1): then it is a note. */
  #excuseRefusal({ method, path, operation }: JournalEntry): void {
    for (const [key, finding] of this.#findings) {
      const { request, problem, count: times } = finding;
      if (problem.code !== 'unauthorized') continue;
      if (method !== request.method || (operation ?? path) !== (request.operation ?? request.path)) continue;
      if (times > 1) this.#findings.set(key, { ...finding, count: times - 1 });
      else this.#findings.delete(key);
      const noted = this.#notes.get(key);
      this.#notes.set(key, { ...finding, problem: { ...problem, severity: 'note' }, count: (noted?.count ?? 0) + 1 });
    }
  }
}

/** Adds a problem to the findings of its kind and operation. */
function count(
  findings: Map<string, ClientFinding>,
  { id, method, path, operation, inputs }: JournalEntry,
  problem: RequestProblem,
): void {
  const key = JSON.stringify([
    operation ?? [method, path],
    problem.code,
    problem.input,
    problem.code === 'unknown-parameter' && problem.detail,
  ]);
  const found = findings.get(key);
  if (!found && findings.size >= MAX_ENTRIES) return;
  const request = { id, method, path, ...(operation && { operation }), inputs };
  findings.set(key, found ? { ...found, count: found.count + 1 } : { request, problem, count: 1 });
}

/** Apps that can be judged in-process. */
import type { RequestListener } from 'node:http';

/** An app that takes a request and returns its response, as in Hono, Workers, Deno and Bun. */
export type FetchHandler = (request: Request) => Response | Promise<Response>;

/**
 * An app: a listener of `node:http` (Express, Koa’s `callback()`, Fastify’s `routing`), a fetch handler, or an object with
 * one as `fetch`. A function with at most one parameter is a fetch handler; any other is a listener.
 */
export type App = RequestListener | FetchHandler | { readonly fetch: FetchHandler };

/** An error of the app; it becomes the failure of its exchange. */
export class AppError extends Error {
  readonly code = 'ERR_APP';
}

/** Errors that are not the app’s own: of this folder, and of the framing of a body. */
const isTransportError = (error: unknown): error is Error =>
  error instanceof AppError ||
  (error instanceof Error && /^UND_ERR_/.test((error as NodeJS.ErrnoException).code ?? ''));

/** The error of an exchange in which an app threw. */
export function appError(thrown: unknown): Error {
  if (isTransportError(thrown)) return thrown;
  const what = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);
  return new AppError(`the app threw ${what}`, { cause: thrown });
}

/** Whether a value is a `Response` of any implementation. */
export const isResponse = (value: unknown): value is Response =>
  typeof value === 'object' && value !== null && 'status' in value && 'headers' in value && 'body' in value;

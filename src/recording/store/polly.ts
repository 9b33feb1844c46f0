/** Polly’s classes with correct types: its declarations describe CommonJS exports incorrectly for Node’s ES modules. */
import AdapterExport from '@pollyjs/adapter';
import { Polly, type PollyConfig, type Request } from '@pollyjs/core';
import FsPersisterExport from '@pollyjs/persister-fs';

type Class<M> = M extends { default: infer C } ? C : M;

export const Adapter = AdapterExport as unknown as Class<typeof AdapterExport>;
export const FsPersister = FsPersisterExport as unknown as Class<typeof FsPersisterExport>;
export type PollyRequest = Request<Record<string, unknown>>;
export { Polly, type PollyConfig };

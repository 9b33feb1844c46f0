/** Polly’s classes with types that Node’s module rules agree with: its declarations name CommonJS exports wrongly. */
import AdapterExport from '@pollyjs/adapter';
import { Polly, type PollyConfig, type Request } from '@pollyjs/core';
import FsPersisterExport from '@pollyjs/persister-fs';

type Class<M> = M extends { default: infer C } ? C : M;

export const Adapter = AdapterExport as unknown as Class<typeof AdapterExport>;
export const FsPersister = FsPersisterExport as unknown as Class<typeof FsPersisterExport>;
export type PollyRequest = Request<Record<string, unknown>>;
export { Polly, type PollyConfig };

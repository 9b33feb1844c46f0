/// <reference types="node" preserve="true" />
/** The public API of the package (docs/api.md). */

export type { Behavior, BehaviorScope } from '../../simulator/behaviors/behaviors.ts';
export type { InProcessSimulator } from '../../simulator/in-process.ts';
export type { ClientFinding, ClientVerdict, JournalEntry } from '../../simulator/journal/request-journal.ts';
export type { ProductValues } from '../../simulator/model/product-edits.ts';
export type { Simulator } from '../../simulator/server.ts';
export type { App, FetchHandler } from '../client/in-process/app.ts';
export {
  type ConformanceOptions as RunOptions,
  type ConformanceTarget as RunTarget,
  runConformance as run,
} from '../commands/run-conformance.ts';
export {
  type CreateReplayOptions,
  createReplay,
  type InProcessReplay,
  type ReplayServer,
  type ReplayServerOptions as ReplayOptions,
  startReplayServer as startReplay,
} from '../commands/start-replay.ts';
export {
  type CreateSimulatorOptions,
  createSimulator,
  type DisposableServer,
  type SimulatorModel,
  type SimulatorServerOptions as SimulatorOptions,
  startSimulatorServer as startSimulator,
} from '../commands/start-simulator.ts';
export { defineConfig } from '../config/load-config.ts';
export type { ConfigInput } from '../config/schema.ts';
export type { LimitValues as Limits } from '../config/settings.ts';
export type { Group, OperationKey, Safety } from '../contract/index.ts';
export { defineProfile } from '../profile/load.ts';
export { ProfileError } from '../profile/profile-error.ts';
export type { ProfileInput } from '../profile/schema.ts';
export type { SelectorFunction } from '../profile/selector.ts';
export type { Basis, Evidence, Finding, Verdict } from '../rule/index.ts';
export type { RuleSetVersion } from '../rule/rule-set.ts';
export type {
  CheckChange,
  RunComparison as Comparison,
  RunHistory as History,
  RunSnapshot as Snapshot,
} from '../run/comparison-types.ts';
export type { Outcome } from '../run/outcome-names.ts';
export type {
  ExchangeSummary,
  Fractions,
  ReportedFinding,
  Result,
  Run,
  RunCause as Cause,
  RunPart,
} from '../run/types.ts';
export type { RunWaiver, WaiverNote } from '../run/waiver-types.ts';
export { UsageError } from '../usage-error.ts';
export type { WaiverData as Waiver } from '../waivers/waiver-schema.ts';

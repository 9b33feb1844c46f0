import { startGateway } from '../../simulator/gateway/gateway.ts';
import { type SimulatorOptions, startSimulator } from '../../simulator/server.ts';
import { judgeTarget } from '../commands/judge-target.ts';
import type { OperationKey } from '../contract/index.ts';
import { loadProfile } from '../profile/load.ts';
import type { DriftDifference } from '../recording/drift/classes.ts';
import { matchingOf } from '../recording/format/profile-matching.ts';
import { protectionOf } from '../secrets/declared-secrets.ts';

/** Of every kind of list, with and without filters. */
export const LISTS: readonly OperationKey[] = [
  'GET /PLATFORMAPI/prodRef/v1/allProducts',
  'GET /PLATFORMAPI/prodRef/v1/updateProducts',
  'GET /RetailMeasurement/v1/CategoryPerformance',
  'GET /PLATFORMAPI/prodRef/v1/products/{upc}',
];
export const JOBS: readonly OperationKey[] = ['POST /webservices/drive', 'GET /webservices/getDriveJobStatus'];

export interface RecordedService extends SimulatorOptions {
  readonly dialect: string;
  readonly operations?: readonly OperationKey[];
}

/** Records a simulator as `mdwi record` does. */
export async function recordService(
  dir: string,
  name: string,
  { operations = LISTS, ...options }: RecordedService,
): Promise<void> {
  const profile = await loadProfile(options.dialect);
  const simulator = await startSimulator({ products: 20, ...options });
  const about = { suite: 'test', source: 'simulator', profile: options.dialect, safety: 'all' } as const;
  const upstream = simulator.url;
  const [protection, matching] = [protectionOf(profile), matchingOf(profile)];
  const gateway = await startGateway({ upstream, dir, name, about, protection, matching });
  await judgeTarget({ base: gateway.url, profile, selection: { safety: 'all', operations } });
  await gateway.close();
  await simulator.close();
}

export const isOther = ({ class: drift }: DriftDifference): boolean => drift !== 'data' && drift !== 'volatile';

/**
 * Draws services: profiles whose names, envelopes, notations, paging and credentials are drawn by fast-check, and whose
 * openings are those of the reference profile. The simulator serves each, so that the profile is its true one.
 */
import fc from 'fast-check';
import type { ProfileInput } from '../../src/profile/schema.ts';
import { type Draws, drawnService } from './draws.ts';
import { profileOf } from './profile-of.ts';

export const SEED = 20_261_123;
export const COUNT = 200;

/** A service with its true profile. */
export interface DrawnService {
  readonly name: string;
  readonly profile: ProfileInput;
  /** What was drawn, for reports. */
  readonly draws: Draws;
}

/** Draws `count` services, always the same ones for a seed. */
export const drawServices = (count = COUNT, seed = SEED): DrawnService[] =>
  fc.sample(drawnService, { seed, numRuns: count }).map((draws, at) => ({
    name: `drawn-${at}`,
    profile: profileOf(`drawn-${at}`, draws as Draws),
    draws: draws as Draws,
  }));

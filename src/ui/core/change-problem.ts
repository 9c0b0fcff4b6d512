import {featureProblem, type NewerFeature} from '#wire/server-features.ts';
import type {AppReader} from './app-reader.ts';

/** Returns the reason why nothing can be changed in this session. */
export function changeProblem({info}: Pick<AppReader, 'info'>): string | undefined {
  return info.isReadOnly ? 'This session is read-only: nothing is changed' : undefined;
}

/** Returns the reason why this server lacks a feature. */
export function serverProblem({state}: Pick<AppReader, 'state'>, feature: NewerFeature): string | undefined {
  return featureProblem(state.server.level, feature);
}

/** Returns the reason why nothing can be marked read now. */
export function markReadProblem({info}: Pick<AppReader, 'info'>): string | undefined {
  if (info.isReadOnly) return 'This session is read-only: nothing is marked read';
  return info.isExploring ? 'Exploring: nothing is marked read' : undefined;
}

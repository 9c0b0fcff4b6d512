import {levels, releases} from './levels.ts';

/** Features that are neither an endpoint nor a parameter. */
export const organizationFeatures = {
  /** Only owners change the allowed domains; before, administrators too. */
  domainsByOwners: {since: levels.domainsByOwners},
  /** Profile fields of type pronouns. */
  pronounsField: {since: levels.pronounsField},
  /** Long texts in the profile summary. */
  paragraphSummary: {since: levels.paragraphSummary},
};

/**
 * Returns why a server of this level does not have something that a level introduced, such as an endpoint or a parameter:
 * `needs Zulip 11`. Undefined when it has it.
 */
export function missingFeature(level: number, {since}: {readonly since: number}): string | undefined {
  if (level >= since) return undefined;
  const [release] = Object.entries(releases).find(([, first]) => first >= since) ?? [];
  return release === undefined ? 'needs a later Zulip' : `needs Zulip ${release.replace(/\.0$/, '')}`;
}

import {levels, releases} from './levels.ts';

/**
 * Returns the release that a server of this level lacks for a feature, such as `Zulip 8`; undefined when it lacks nothing.
 * Level 0 is a server that is not known yet.
 */
export function releaseFor(feature: keyof typeof levels, level: number): string | undefined {
  return releaseSince(levels[feature], level);
}

/** Returns the release that a server of this level lacks for what was added at level `since`. */
export function releaseSince(since: number, level: number): string | undefined {
  if (level === 0 || since <= level) return undefined;
  const [name] = Object.entries(releases).find(([, first]) => first >= since) ?? [];
  return name === undefined ? 'a newer Zulip' : `Zulip ${name.replace(/\.0$/, '')}`;
}

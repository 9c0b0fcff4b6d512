import type {ServerInfo} from '#state/state.ts';

/** The time limit of a poll: servers send a heartbeat every 45 to 55 seconds. */
const usualTimeoutMs = 65_000;
/** The client timeout that servers with these heartbeats recommend. */
const usualTimeoutSeconds = 90;
/** The network's share of a longer recommended timeout. */
const slackMs = 5000;

/** Returns the time limit of a poll. A server that recommends an unusually long timeout has slower heartbeats. */
export function pollTimeoutMs(server: Pick<ServerInfo, 'eventQueueLongpollTimeoutSeconds'>): number {
  const seconds = server.eventQueueLongpollTimeoutSeconds ?? usualTimeoutSeconds;
  return seconds <= usualTimeoutSeconds ? usualTimeoutMs : Math.min(seconds, 600) * 1000 + slackMs;
}

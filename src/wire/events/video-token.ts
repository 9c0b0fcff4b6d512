import {tokenProvider} from '#wire/objects/video-call.ts';
import {decode, int, object, s} from '#wire/schema.ts';

/**
 * The one event that does not decode to its own shape. On the network its type is `has_<provider>_token`, an open
 * set of names; here they are one kind, with the provider as a value.
 */
export interface VideoTokenEvent {
  type: 'video_token';
  id: number;
  /** `zoom`, `webex`, `conference`, …: the segment of the call's path. */
  provider: string;
  value: boolean;
}

/** The same event as a server sends it. */
export interface WireVideoTokenEvent {
  type: `has_${string}_token`;
  id: number;
  value: boolean;
}

const tokenEvent = object({id: int, type: s.string(), value: s.boolean()});

export function decodeVideoToken(raw: unknown): VideoTokenEvent | undefined {
  const decoded = decode(tokenEvent, raw);
  if (!decoded.ok) return undefined;
  const provider = tokenProvider(decoded.value.type);
  if (provider === undefined) return undefined;
  return {type: 'video_token', id: decoded.value.id, provider, value: decoded.value.value};
}

import {tokenProvider} from '#wire/objects/video-call.ts';
import {decode, int, object, s} from '#wire/schema.ts';

/**
 * The event about a video provider's token. The server's type is `has_<provider>_token`, an open set of names; decoded, it
 * is one type with the provider as a value.
 */
export interface VideoTokenEvent {
  type: 'video_token';
  id: number;
  /** The segment of the call's path: `zoom`, `webex`, `conference`, … */
  provider: string;
  value: boolean;
}

/** The event as the server sends it. */
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

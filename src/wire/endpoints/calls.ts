import {endpoint, fallback, flag, optional, pathText, text} from '#wire/endpoint.ts';
import {object, s} from '#wire/schema.ts';

const call = object({url: s.string()});

/** Creates a video call. The segment is the provider; `is_video_call` is for Zoom, `room_name` for Nextcloud Talk. */
export const createCall = endpoint('call.create', 'POST /calls/{segment}/create', {
  params: {segment: pathText, is_video_call: optional(flag), room_name: optional(text)},
  result: call,
});

/** Creates a BigBlueButton call, the only one with GET; the returned URL is relative. */
export const createBigBlueButtonCall = endpoint('call.create-bigbluebutton', 'GET /calls/bigbluebutton/create', {
  params: {meeting_name: text, voice_only: fallback(flag, false)},
  result: call,
});

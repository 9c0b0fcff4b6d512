import {ApiError} from '#server/http/errors.ts';

export function badNarrow(description: string): ApiError {
  return new ApiError('BAD_NARROW', `Invalid narrow operator: ${description}`, 400, {desc: description});
}

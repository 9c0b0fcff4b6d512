import type {ParseContext} from '#content/parse-context.ts';

export type UploadedImage = {
  /** The URL of the preview; undefined while there is no thumbnail yet. */
  src: string | undefined;
  width: number;
  height: number;
  contentType: string | undefined;
  isAnimated?: boolean;
  /** The name of a large thumbnail, for formats that browsers cannot show. */
  transcoded?: string;
};

/** The data that the HTML of a message depends on besides its text. */
export type HtmlRenderContext = ParseContext & {
  /** Whether links to images and videos get a preview below the paragraph. */
  previewImages?: boolean;
  /** Returns the uploaded image at a path (`/user_uploads/…`); undefined when there is none. */
  uploadedImage?: (path: string) => UploadedImage | undefined;
  /** Returns the URL of a proxy for another site's image, so that readers do not reveal themselves to that site. */
  proxyUrl?: (url: string) => string;
};

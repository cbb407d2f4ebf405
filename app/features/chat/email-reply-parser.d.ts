declare module "email-reply-parser" {
  export default class EmailReplyParser {
    parseReply(text: string): string;
  }
}

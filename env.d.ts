declare namespace Cloudflare {
  interface GlobalProps {
    mainModule: typeof import("./workers/app");
    durableNamespaces: "ChatRoom" | "AdminRoom" | "Lobby" | "AddressConnections" | "NightlyBackup";
  }

  /** Bindings, variables and secrets of the Worker. */
  interface Env {
    DB: D1Database;
    BUCKET: R2Bucket;
    IMAGES: ImagesBinding;
    MAIL: SendEmail;
    ASSETS: Fetcher;
    CHAT_ROOM: DurableObjectNamespace<import("./workers/chat-room").ChatRoom>;
    ADMIN_ROOM: DurableObjectNamespace<import("./workers/admin-room").AdminRoom>;
    LOBBY: DurableObjectNamespace<import("./workers/live-object").Lobby>;
    ADDRESS_CONNECTIONS: DurableObjectNamespace<import("./workers/connections").AddressConnections>;
    NIGHTLY_BACKUP: DurableObjectNamespace<import("./workers/nightly").NightlyBackup>;
    /** Counters of requests, where the account has Analytics Engine. */
    METRICS?: AnalyticsEngineDataset;
    LIMIT_LOGIN_ACCOUNT: RateLimit;
    LIMIT_LOGIN_ADDRESS: RateLimit;
    LIMIT_SIGNUP_ADDRESS: RateLimit;
    LIMIT_FORGOT_ACCOUNT: RateLimit;
    LIMIT_FORGOT_ADDRESS: RateLimit;
    LIMIT_CHAT_CREATE_ADDRESS: RateLimit;
    LIMIT_LIVE_JOINS_ADDRESS: RateLimit;
    LIMIT_CHAT_FILES_ADDRESS: RateLimit;
    LIMIT_PUSH_ADDRESS: RateLimit;
    LIMIT_API_KEY: RateLimit;
    /**
     * Signs cookies and links: 32 bytes or more, or several of them separated by commas, of which the first signs. A
     * secret (`wrangler secret put COOKIE_SECRET`), never in wrangler.toml.
     */
    COOKIE_SECRET: string;
    /** Opens /operator/ for backups and restores: a secret of 32 characters or more; closed without it. */
    BACKUP_KEY?: string;
    SHOP_NAME?: string;
    SHOP_URL?: string;
    SHOP_TIMEZONE?: string;
    /** Region of the objects that belong to the shop, such as `enam` (app/http/shop-objects.server.ts). */
    SHOP_REGION?: string;
    SUPPORT_EMAIL?: string;
    LEGAL_EMAIL?: string;
    MAIL_FROM?: string;
    /** Domain at which the shop receives replies to its mails: that of MAIL_FROM by default, "" for none. */
    MAIL_DOMAIN?: string;
    SHOP_ADDRESS?: string;
    SHOP_PHONE?: string;
    SHOP_PICKUP?: string;
    SHOP_HOURS?: string;
    SHOP_MAP_URL?: string;
    SELLER_SMS?: string;
    SOCIAL_INSTAGRAM?: string;
    SOCIAL_FACEBOOK?: string;
    SOCIAL_TIKTOK?: string;
    INVENTORY_SHEET_URL?: string;
    CHAT_MESSAGES_IN_10_SECONDS?: string;
    LIVE_EVENTS_IN_10_SECONDS?: string;
    LIVE_CONNECTIONS_OF_A_PERSON?: string;
    LIVE_CONNECTIONS_OF_AN_ADDRESS?: string;
    /** Keys of Web Push in place of those that the shop makes; both are secrets. */
    VAPID_PUBLIC_KEY?: string;
    VAPID_PRIVATE_KEY?: string;
    /** Origin that receives the push requests instead of the push services; for tests only, never in production. */
    PUSH_TEST_ORIGIN?: string;
    /** Origin that receives webhooks instead of their targets; for tests only, never in production. */
    WEBHOOK_TEST_ORIGIN?: string;
    /** `off` disables the edge cache; set by `npm run dev`. */
    EDGE_CACHE?: string;
  }
}

interface Env extends Cloudflare.Env {}

/** The DOM's CacheStorage lacks what Cloudflare adds. */
interface CacheStorage {
  readonly default: Cache;
}

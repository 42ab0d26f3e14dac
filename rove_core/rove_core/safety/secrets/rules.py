"""Patterns of vendors' secrets, as data."""

from typing import Final

from rove_core.safety.secrets.checks import is_github, is_url_password
from rove_core.safety.secrets.secret_rule import UUID, SecretRule
from rove_core.safety.secrets.service_rules import SERVICE_RULES

#: Secrets with a form of their own, by whose they are.
RULES: Final = (
    # Clouds
    SecretRule(
        "aws_access_key",
        "AKIA ASIA ABIA ACCA",
        r"A[KSBC][IC]A[A-Z2-7]{16}(?![/%]\w{0,2}201)(?![/%]\w{0,2}202[0-4])",
    ),
    SecretRule(
        "aws_session_token", "IQoJb3JpZ2lu FwoGZXIvYXdz", r"(?:IQoJ|FwoG)[\w+/-]{100,}={0,2}"
    ),
    SecretRule(
        "aws_bedrock_key", "ABSK bedrock-api-key-", r"(?:ABSK|bedrock-api-key-)[\w+/-]{70,}={0,2}"
    ),
    SecretRule("aws_mws_token", "amzn.mws.", rf"amzn\.mws\.{UUID}"),
    SecretRule("gcp_api_key", "AIza", r"AIza[\w-]{35}"),
    SecretRule("gcp_access_token", "ya29.", r"ya29\.[\w-]{20,}(?:\.[\w-]+)*"),
    SecretRule("gcp_refresh_token", "1//0", r"1//0[\w-]{40,}"),
    SecretRule("gcp_client_secret", "GOCSPX-", r"GOCSPX-[\w-]{28}"),
    SecretRule("azure_storage_key", "AccountKey=", r"AccountKey=([A-Za-z0-9+/]{86}==)"),
    SecretRule(
        "azure_storage_key", "+ASt", r"[A-Za-z0-9+/]{76}\+ASt[A-Za-z0-9+/]{5}[AQgw]==", inside=True
    ),
    SecretRule(
        "azure_shared_access_key", "SharedAccessKey=", r"SharedAccessKey=([A-Za-z0-9+/]{43}=)"
    ),
    SecretRule("azure_client_secret", "Q~", r"[\w~.-]{3}\dQ~[\w~.-]{31,34}", inside=True),
    SecretRule("azure_devops_pat", "AZDO", r"[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}", inside=True),
    SecretRule("azure_openai_key", "JQQJ99", r"[A-Za-z0-9]{52}JQQJ99[A-Za-z0-9]{26}", inside=True),
    SecretRule("azure_function_key", "AzFu", r"[\w-]{44}AzFu[\w-]{5}[AQgw]==", inside=True),
    SecretRule("azure_registry_key", "+ACR", r"[A-Za-z0-9/+]{42}\+ACR[A-Za-z0-9]{6}", inside=True),
    SecretRule("azure_cosmos_key", "ACDb", r"[\w+/]{76}ACDb[\w+/]{6}==", inside=True),
    SecretRule("azure_sas", "sig=", r"sig=([\w+/%-]{43,}=?)"),
    SecretRule("alibaba_key", "LTAI", r"LTAI[A-Za-z0-9]{16,20}"),
    SecretRule("tencent_key", "AKID", r"AKID[A-Za-z0-9]{32}"),
    SecretRule("yandex_key", "AQVN", r"AQVN[\w-]{35,38}"),
    SecretRule("digitalocean_token", "dop_v1_ doo_v1_ dor_v1_", r"do[opr]_v1_[a-f0-9]{64}"),
    SecretRule("heroku_key", "HRKU-", r"HRKU-[\w-]{36,}"),
    SecretRule("vercel_token", "vcp_ vci_ vca_ vcr_ vck_", r"vc[piark]_[A-Za-z0-9]{24,}"),
    SecretRule(
        "vercel_blob_token", "vercel_blob_rw_", r"vercel_blob_rw_[A-Za-z0-9]+_[A-Za-z0-9]{24,}"
    ),
    SecretRule("netlify_token", "nfp_ nfo_ nfc_ nfu_", r"nf[pocu]_[A-Za-z0-9]{36,}"),
    SecretRule("cloudflare_token", "cfut_ cfat_ cfk_", r"cf(?:ut|at|k)_[\w-]{40,}"),
    SecretRule("cloudflare_origin_key", "v1.0-", r"v1\.0-[a-f0-9]{24}-[a-f0-9]{146}"),
    SecretRule(
        "fly_token", "fo1_ fm1a_ fm1r_ fm2_", r"(?:fo1_[\w-]{43}|fm(?:1[ar]|2)_[\w+/-]{100,}={0,3})"
    ),
    SecretRule("render_key", "rnd_", r"rnd_[A-Za-z0-9]{32}"),
    SecretRule("deno_token", "ddp_ ddw_", r"dd[pw]_[A-Za-z0-9]{36}"),
    SecretRule("salad_key", "salad_cloud_", r"salad_cloud_[A-Za-z0-9]+_[A-Za-z0-9]{20,}"),
    SecretRule("apify_token", "apify_api_", r"apify_api_[A-Za-z0-9]{34,40}"),
    SecretRule("scalingo_token", "tk-us-", r"tk-us-[\w-]{48}"),
    SecretRule("tigris_secret", "tsec_", r"tsec_[\w+/-]{40,}"),
    SecretRule("openshift_token", "sha256~", r"sha256~[\w-]{43}"),
    # Networks
    SecretRule("tailscale_key", "tskey-", r"tskey-[a-z]+-[A-Za-z0-9]{8,}-[A-Za-z0-9]{20,}"),
    SecretRule("netbird_token", "nbp_", r"nbp_[A-Za-z0-9]{36}"),
    SecretRule("nebula_key", "dnkey-", r"dnkey-[\w=-]{26}-[\w=-]{52}"),
    # Code, packages and their pipelines
    SecretRule("github_token", "ghp_ gho_ ghu_ ghs_ ghr_", r"gh[opusr]_[A-Za-z0-9]{36}", is_github),
    SecretRule("github_token", "ghs_ ghu_", r"gh[su]_[\w.-]{60,}[A-Za-z0-9]"),
    SecretRule("github_pat", "github_pat_", r"github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}"),
    SecretRule(
        "gitlab_token",
        "glpat- gldt- glrt- glcbt- glptt- glft- glimt- glagent- glsoat- gloas- glffct- glwt-",
        r"gl(?:pat|dt|rt|cbt|ptt|ft|imt|agent|soat|oas|ffct|wt)-[\w-]{20,}(?:\.[0-9a-z.]{2,})?",
    ),
    SecretRule("gitlab_runner_token", "GR1348941", r"GR1348941[\w-]{20,}"),
    SecretRule("launchdarkly_key", "sdk- api-", rf"(?:sdk|api)-{UUID}"),
    SecretRule(
        "harness_token", "pat. sat.", r"[ps]at\.[\w-]{22}\.[a-zA-Z0-9]{24}\.[a-zA-Z0-9]{20}"
    ),
    SecretRule("octopus_key", "API-", r"API-[A-Z0-9]{26,}"),
    SecretRule("trigger_key", "tr_", r"tr_(?:dev|prod|stg|preview|pat)_[A-Za-z0-9]{20,}"),
    SecretRule("inngest_key", "signkey-", r"signkey-[a-z]+-[a-f0-9]{32,64}"),
    SecretRule("socket_token", "sktsec_", r"sktsec_[\w-]{40,}"),
    SecretRule("bitbucket_password", "ATBB", r"ATBB[A-Za-z0-9]{24,}[A-F0-9]{8}"),
    SecretRule("atlassian_token", "ATATT3 ATCTT3 ATSTT3", r"AT[ACS]TT3[\w=-]{60,}"),
    SecretRule("npm_token", "npm_", r"npm_[A-Za-z0-9]{36}", is_github),
    SecretRule(
        "npmrc_password",
        ":_authToken= :_password=",
        r":_(?:authToken|password)=\s*([^\s$]{8,})",
        is_url_password,
    ),
    SecretRule("pypi_token", "pypi-AgE", r"pypi-AgE[\w-]{50,}"),
    SecretRule("rubygems_key", "rubygems_", r"rubygems_[a-f0-9]{48}"),
    SecretRule("nuget_key", "oy2", r"oy2[a-z0-9]{43}"),
    SecretRule("crates_token", "cio", r"cio[A-Za-z0-9]{32}"),
    SecretRule("clojars_token", "CLOJARS_", r"CLOJARS_[a-z0-9]{60}"),
    SecretRule("docker_token", "dckr_", r"dckr_[po]at_[\w-]{27,}"),
    SecretRule("jfrog_key", "AKCp cmVmd", r"(?:AKCp[A-Za-z0-9]{60,}|cmVmd[A-Za-z0-9]{59})"),
    SecretRule("buildkite_token", "bkua_", r"bkua_[a-z0-9]{40}"),
    SecretRule("circleci_token", "CCIPAT_ CCIPRJ_", r"CCIP(?:AT|RJ)_[A-Za-z0-9]{22}_[a-f0-9]{40}"),
    SecretRule("sonar_token", "squ_ sqp_ sqa_", r"sq[upa]_[a-f0-9]{40}"),
    SecretRule("sourcegraph_token", "sgp_", r"sgp_(?:(?:[a-f0-9]{16}|local)_)?[a-f0-9]{40}"),
    SecretRule("sourcegraph_token", "slk_", r"slk_[a-f0-9]{64}"),
    SecretRule("segment_token", "sgp_", r"sgp_[A-Za-z0-9]{60,70}"),
    SecretRule("pulumi_token", "pul-", r"pul-[a-f0-9]{40}"),
    SecretRule(
        "sidekiq_login",
        "BUNDLE_",
        r"BUNDLE_(?:ENTERPRISE|GEMS)__CONTRIBSYS__COM[\s:=\"']+([a-f0-9]{8}:[a-f0-9]{8})",
    ),
    SecretRule("dependency_track_key", "odt_", r"odt_(?:[A-Za-z0-9]{8}_)?[A-Za-z0-9]{32,40}"),
    SecretRule(
        "terraform_token", ".atlasv1.", r"[A-Za-z0-9]{14}\.atlasv1\.[\w-]{60,}", inside=True
    ),
    SecretRule("vault_token", "hvs. hvb. hvr.", r"hv[sbr]\.[\w-]{24,}"),
    SecretRule(
        "doppler_token", "dp.", r"dp\.(?:pt|ct|sa|st|scim|audit)(?:\.[\w-]+)?\.[A-Za-z0-9]{40,44}"
    ),
    SecretRule("endor_token", "endr+", r"endr\+[A-Za-z0-9-]{16}"),
    SecretRule("truffle_secret", "thog-", r"thog-(?:secret-[0-9a-f]{32}|key-[0-9a-f]{16})"),
    SecretRule("nightfall_key", "NF-", r"NF-(?=\w*\d)[A-Za-z0-9]{32}"),
    SecretRule("infracost_key", "ico-", r"ico-[A-Za-z0-9]{32}"),
    SecretRule("onepassword_token", "ops_ey", r"ops_ey[\w+/-]{200,}={0,3}"),
    SecretRule(
        "onepassword_key",
        "A3-",
        r"A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}",
    ),
    # Talk, tickets and documents
    SecretRule(
        "slack_token", "xoxb- xoxp- xoxa- xoxr- xoxs- xoxo-", r"xox[bparso]-(?:\d-)?[\w-]{20,}"
    ),
    SecretRule("slack_token", "xoxe- xoxe.", r"xoxe(?:\.xox[bp])?-\d{1,12}-[\w-]{50,}"),
    SecretRule("slack_session", "xoxc- xoxd-", r"xox[cd]-[\w%+/=-]{30,}"),
    SecretRule("slack_app_token", "xapp-", r"xapp-\d-[A-Z0-9]+-\d+-[a-f0-9]{32,}"),
    SecretRule(
        "slack_webhook",
        "hooks.slack.com/",
        r"hooks\.slack\.com/(?:services|workflows|triggers)/([\w/]{30,})",
    ),
    SecretRule(
        "linear_key", "lin_api_ lin_oauth_ lin_wh_", r"lin_(?:api|oauth|wh)_[A-Za-z0-9]{32,}"
    ),
    SecretRule("asana_token", "/11 /12", r"\d/\d{16}(?:/\d{16})?:[0-9a-f]{32}", inside=True),
    SecretRule(
        "notion_token", "ntn_ secret_", r"(?:ntn_\d{11}[A-Za-z0-9]{35}|secret_[A-Za-z0-9]{43})"
    ),
    SecretRule("airtable_token", "pat", r"pat[A-Za-z0-9]{14}\.[a-f0-9]{64}"),
    SecretRule("figma_token", "figd_ figo_ figu_ figoh_ figp_", r"fig(?:d|o|u|p|oh)_[\w-]{40,}"),
    SecretRule(
        "postman_key", "PMAK- PMAT-", r"(?:PMAK-[a-f0-9]{24}-[a-f0-9]{34}|PMAT-[A-Za-z0-9]{26})"
    ),
    SecretRule("trello_token", "ATTA", r"ATTA[a-f0-9]{64,72}[A-F0-9]{0,8}"),
    SecretRule("clickup_token", "pk_", r"pk_\d{7,9}_[A-Z0-9]{32}"),
    SecretRule("hubspot_token", "pat-", rf"pat-(?:na|eu)\d-{UUID}"),
    SecretRule("intercom_token", "dG9rO", r"dG9rO[\w+/]{40,}={0,2}"),
    SecretRule("telegram_token", ":AA", r"(?:bot)?(\d{8,10}:AA[\w-]{33})", inside=True),
    SecretRule(
        "discord_token",
        "Mz Mj MT Nj Nz OD OT ND NT",
        r"[MNO][A-Za-z\d]{23,27}\.[\w-]{6}\.[\w-]{27,38}",
    ),
    SecretRule("webex_token", "_PF", r"[A-Za-z0-9]{64}_PF\d\d_[a-f0-9-]{36}", inside=True),
    SecretRule("ubidots_key", "BBFF- BBUS-", r"BB(?:FF|US)-[A-Za-z0-9]{30}"),
    SecretRule("tableau_token", "==:", r"[A-Za-z0-9+/]{22}==:[A-Za-z0-9]{32}", inside=True),
    SecretRule(
        "discord_webhook",
        "/api/webhooks/",
        r"discord(?:app)?\.com/api/webhooks/(\d{17,20}/[\w-]{60,})",
        inside=True,
    ),
    SecretRule(
        "teams_webhook",
        "webhook.office.com/",
        r"webhook\.office\.com/(webhookb2/[\w@/-]{80,})",
        inside=True,
    ),
    SecretRule(
        "teams_webhook",
        "outlook.office.com/webhook/",
        r"outlook\.office\.com/webhook/([\w@/-]{80,})",
    ),
    SecretRule(
        "zapier_webhook", "hooks.zapier.com/", r"hooks\.zapier\.com/hooks/catch/(\d+/[\w/]{5,})"
    ),
    SecretRule(
        "tines_webhook",
        ".tines.com/webhook/",
        r"\.tines\.com/webhook/([a-f0-9]{32}/[a-f0-9]{32})",
    ),
    SecretRule(
        "mattermost_webhook", "/hooks/", r"(?<=://)[\w.:-]+/hooks/([a-z0-9]{26})", inside=True
    ),
    SecretRule("contentful_token", "CFPAT-", r"CFPAT-[\w-]{43}"),
    SecretRule("frameio_token", "fio-u-", r"fio-u-[\w=-]{60,}"),
    SecretRule("adobe_secret", "p8e- p8-", r"p8e?-[A-Za-z0-9_-]{32,}"),
    SecretRule("salesforce_token", "5Aep861", r"5Aep861[\w.=]{60,}"),
    SecretRule("salesforce_token", "00D", r"00D[A-Za-z0-9]{12,15}![\w.-]{80,120}"),
    SecretRule("zoho_token", "1000.", r"1000\.[a-f0-9]{32}\.[a-f0-9]{32}"),
    SecretRule("teamwork_token", "tkn.v1_", r"tkn\.v1_[\w+/-]{60,}={0,2}"),
    SecretRule("typeform_token", "tfp_", r"tfp_[\w.-]{40,}"),
    SecretRule("readme_key", "rdme_", r"rdme_[a-z0-9]{70}"),
    # Models
    SecretRule(
        "openai_key", "T3BlbkFJ", r"sk-(?:[a-z]+-)?[\w-]{18,}T3BlbkFJ[\w-]{18,}", inside=True
    ),
    SecretRule(
        "openai_key",
        "sk-",
        r"sk-(?:(?:proj|svcacct|service|admin|None)-[\w-]{40,}|[A-Za-z0-9]{48})",
    ),
    SecretRule("anthropic_key", "sk-", r"sk-ant-[a-z]{3,5}\d\d-[\w-]{60,}"),
    SecretRule("openrouter_key", "sk-", r"sk-or-v1-[a-f0-9]{64}"),
    SecretRule("langfuse_key", "sk-", rf"sk-lf-{UUID}"),
    SecretRule("deepseek_key", "sk-", r"sk-[a-f0-9]{32}"),
    SecretRule("huggingface_token", "hf_ api_org_", r"(?:hf|api_org)_[A-Za-z0-9]{34}"),
    SecretRule("groq_key", "gsk_", r"gsk_[A-Za-z0-9]{52}"),
    SecretRule("xai_key", "xai-", r"xai-\w{80}"),
    SecretRule("perplexity_key", "pplx-", r"pplx-[A-Za-z0-9]{48}"),
    SecretRule("replicate_token", "r8_", r"r8_[A-Za-z0-9]{37}"),
    SecretRule("nvidia_key", "nvapi-", r"nvapi-[\w-]{60,}"),
    SecretRule("langsmith_key", "lsv2_", r"lsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10}"),
    SecretRule("pinecone_key", "pcsk_", r"pcsk_[A-Za-z0-9]{5,6}_[A-Za-z0-9]{63}"),
    SecretRule("tavily_key", "tvly-", r"tvly-[\w-]{32,}"),
    SecretRule("elevenlabs_key", "sk_", r"sk_[a-f0-9]{48}"),
    SecretRule("fireworks_key", "fw_", r"fw_[A-Za-z0-9]{22,}"),
    SecretRule("cerebras_key", "csk-", r"csk-[a-z0-9]{48}"),
    SecretRule("e2b_key", "e2b_ sk_e2b_", r"(?:sk_)?e2b_[a-f0-9]{40}"),
    SecretRule("firecrawl_key", "fc-", r"fc-[a-f0-9]{32}"),
    SecretRule("together_key", "tgp_v1_", r"tgp_v1_[\w-]{40,}"),
    SecretRule("voyage_key", "pa-", r"pa-[\w-]{43}"),
    SecretRule("jina_key", "jina_", r"jina_[\w-]{60}"),
    SecretRule("runpod_key", "rpa_", r"rpa_[A-Z0-9]{40}[A-Za-z0-9]*"),
    SecretRule("modal_secret", "as-", r"as-[A-Za-z0-9]{22}"),
    SecretRule("brave_key", "BSA", r"BSA[\w-]{28}"),
    SecretRule("gemini_key", "AQ.Ab", r"AQ\.Ab[\w-]{40,}"),
    SecretRule("wandb_key", "wandb_v1_", r"wandb_v1_[\w-]{60,}"),
    SecretRule("voiceflow_key", "VF.", r"VF\.(?:(?:DM|WS|PAT)\.)?[a-f0-9]{24}\.[A-Za-z0-9]{12,24}"),
    SecretRule("cursor_key", "key_ crsr_", r"(?:key|crsr)_[a-f0-9]{64}"),
    # Money, mail, shops
    SecretRule("stripe_key", "sk_ rk_", r"[sr]k_(?:live|test|prod)_[\w-]{10,}"),
    SecretRule("stripe_webhook_secret", "whsec_", r"whsec_[A-Za-z0-9+/]{32,}={0,2}"),
    SecretRule(
        "square_token", "sq0atp- sq0csp- EAAA", r"(?:sq0(?:atp|csp)-[\w-]{22,43}|EAAA[\w-]{22,60})"
    ),
    SecretRule(
        "braintree_token",
        "access_token$",
        r"access_token\$(?:production|sandbox)\$[0-9a-z]{16}\$[0-9a-f]{32}",
    ),
    SecretRule(
        "shopify_token",
        "shpat_ shpca_ shppa_ shpss_ shptka_",
        r"shp(?:at|ca|pa|ss|tka)_[a-fA-F0-9]{32}",
    ),
    SecretRule(
        "plaid_token",
        "access-sandbox- access-prod access-dev",
        rf"access-(?:sandbox|production|development)-{UUID}",
    ),
    SecretRule("twilio_key", "SK", r"SK[0-9a-f]{32}"),
    SecretRule("sendgrid_key", "SG.", r"SG\.[\w-]{22}\.[\w-]{43}"),
    SecretRule("mailgun_key", "key-", r"key-[a-z0-9]{32}"),
    SecretRule("close_key", "api_", r"api_[A-Za-z0-9]{22}\.[A-Za-z0-9]{22}"),
    SecretRule("mailchimp_key", "-us", r"[a-f0-9]{32}-us\d{1,2}", inside=True),
    SecretRule("brevo_key", "xkeysib- xsmtpsib-", r"x(?:key|smtp)sib-[a-f0-9]{64}-[A-Za-z0-9]{16}"),
    SecretRule("resend_key", "re_", r"re_[A-Za-z0-9]{8}_[A-Za-z0-9]{24}"),
    SecretRule(
        "paddle_key",
        "pdl_",
        r"pdl_(?:live|sdbx)_apikey_[a-z0-9]{26}_[A-Za-z0-9]{22}_[A-Za-z0-9]{3}",
    ),
    SecretRule("polar_token", "polar_", r"polar_[a-z]{2,4}_(?:[a-z]_)?[A-Za-z0-9]{32,}"),
    SecretRule(
        "stripe_intent_secret",
        "_secret_",
        r"(?:pi|seti|src|cs)_[A-Za-z0-9]{14,64}_secret_[A-Za-z0-9]{20,}",
        inside=True,
    ),
    SecretRule("ramp_secret", "ramp_sec_", r"ramp_sec_[A-Za-z0-9]{48}"),
    SecretRule("robinhood_key", "rh-api-", rf"rh-api-{UUID}"),
    SecretRule("pagarme_key", "ak_", r"ak_(?:live|test)_[A-Za-z0-9]{30}"),
    SecretRule("telnyx_key", "KEY", r"KEY[\w-]{32,}_[\w-]{20,}"),
    SecretRule("gocardless_token", "live_", r"live_(?=[\w=-]*\d)[\w=-]{40}"),
    SecretRule("flutterwave_key", "FLWSECK", r"FLWSECK(?:_TEST)?-[a-z0-9]{12,}(?:-X)?"),
    SecretRule("easypost_key", "EZAK EZTK", r"EZ[AT]K[A-Za-z0-9]{54}"),
    SecretRule("shippo_token", "shippo_", r"shippo_(?:live|test)_[a-fA-F0-9]{40}"),
    SecretRule("duffel_token", "duffel_", r"duffel_(?:test|live)_[\w=-]{43}"),
    SecretRule("facebook_token", "EAA", r"EAA[A-Za-z0-9]{100,}(?![+/=])"),
    SecretRule("dropbox_token", "sl.", r"sl\.(?:u\.)?[\w-]{130,}"),
    # Watching and data
    SecretRule(
        "newrelic_key",
        "NRAK- NRII- NRIQ- NRAA- NRRA- NRJS- NRBR-",
        r"NR(?:AK-[A-Z0-9]{27}|I[IQ]-[\w-]{25,32}|AA-[a-f0-9]{27}|RA-[a-f0-9]{42}|(?:JS|BR)-[a-f0-9]{19})",
    ),
    SecretRule(
        "newrelic_license",
        "NRAL",
        r"(?:[a-f0-9]{32,36}|eu01xx[a-f0-9]{26,30})(?:FFFF)?NRAL",
        inside=True,
    ),
    SecretRule("newrelic_key", "-NRMA", r"AA[a-f0-9]{40}-NRMA", inside=True),
    SecretRule("rootly_key", "rootly_", r"rootly_[a-f0-9]{64}"),
    SecretRule("sentry_token", "sntrys_ sntryu_", r"sntry(?:s_eyJ[\w+/=]{60,}|u_[a-f0-9]{64})"),
    SecretRule(
        "grafana_token",
        "glsa_ glc_",
        r"(?:glsa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}|glc_[A-Za-z0-9+/]{32,}={0,2})",
    ),
    SecretRule("dynatrace_token", "dt0", r"dt0[a-z]\d\d\.[A-Z0-9]{8,24}\.[A-Z0-9]{64}"),
    SecretRule("databricks_token", "dapi dose dkea", r"d(?:api|ose|kea)[a-f0-9]{32}(?:-\d)?"),
    SecretRule("posthog_key", "phx_ phs_", r"ph[xs]_[\w-]{40,}"),
    SecretRule("honeycomb_key", "hcaik_ hcxik_ hcalk_ hcxlk_", r"hc[ax][il]k_[a-z0-9]{58}"),
    SecretRule("logfire_token", "pylf_v", r"pylf_v\d_[a-z]{2,8}_[A-Za-z0-9]{40,}"),
    SecretRule("axiom_token", "xaat- xapt-", rf"xa(?:at|pt)-{UUID}"),
    SecretRule("neon_key", "napi_", r"napi_[a-z0-9]{64}"),
    SecretRule("dbt_token", "dbtc_ dbtu_", r"dbt[cu]_[\w=-]{36,}"),
    SecretRule("planetscale_password", "pscale_", r"pscale_(?:tkn|oauth|pw)_[\w=.-]{32,}"),
    SecretRule("supabase_key", "sbp_ sb_secret_", r"(?:sbp_[a-f0-9]{40}|sb_secret_[\w-]{31})"),
    SecretRule("neon_password", "npg_", r"npg_[A-Za-z0-9]{12,}"),
    SecretRule("prefect_key", "pnu_", r"pnu_[A-Za-z0-9]{36}"),
    SecretRule("mapbox_token", "sk.eyJ", r"sk\.eyJ[\w-]{40,}\.[\w-]{20,}"),
    SecretRule("adafruit_key", "aio_", r"aio_[A-Za-z0-9]{28}"),
    SecretRule("maxmind_key", "_mmk", r"[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk", inside=True),
    SecretRule("mongodb_secret", "mdb_sa_sk_", r"mdb_sa_sk_[\w-]{40}"),
    SecretRule("grafana_token", "eyJrIjoi", r"eyJrIjoi[A-Za-z0-9]{60,}={0,3}"),
    SecretRule("clickhouse_secret", "4b1d", r"4b1d[A-Za-z0-9]{38}"),
    SecretRule("aiven_token", "aivenv1", r"aivenv1[A-Za-z0-9+/]{100,}={0,2}"),
    SecretRule("influxdb_token", "apiv3_", r"apiv3_[\w-]{60,}"),
    SecretRule("pubnub_key", "sec-c-", r"sec-c-[A-Za-z0-9]{40,}"),
    SecretRule("scrapfly_key", "scp-", r"scp-(?:live|test)-[a-f0-9]{32}"),
    SecretRule("fleetbase_key", "flb_", r"flb_(?:live|test)_[A-Za-z0-9]{20}"),
    SecretRule("flexport_token", "shltm_", r"shltm_[\w-]{40}"),
    SecretRule("settlemint_token", "sm_", r"sm_[aps]at_[A-Za-z0-9]{16}"),
    SecretRule("intra42_secret", "s-s4t2", r"s-s4t2(?:ud|af)-[a-f0-9]{64}"),
    SecretRule(
        "twitter_token",
        "AAAAAAAAAAAAAAAAAAAAA",
        r"A{21,}[A-Za-z0-9%]{60,}",
        lambda text: "%" in text,
    ),
    SecretRule(
        "adyen_key", "AQE", r"AQE[A-Za-z0-9][\w+/]{50,200}={0,2}-[\w+/=]{20,100}-[\w+/=!-~]{6,40}"
    ),
    SecretRule("aspnet_cookie", "CfDJ8", r"CfDJ8[\w-]{24,4000}"),
    # Forms that everybody uses
    SecretRule("password_hash", "$2", r"\$2[aby]\$\d\d\$[./A-Za-z0-9]{53}"),
    SecretRule(
        "password_hash",
        "$1$ $5$ $6$ $y$ $8$ $9$ $apr1$",
        r"\$(?:[156y89]|apr1)\$(?:rounds=\d+\$)?[\w./]{1,22}\$[\w./]{22,86}",
    ),
    SecretRule(
        "password_hash", "$argon2", r"\$argon2(?:id|[id])\$v=\d+\$[\w=,]+\$[\w+/]+\$[\w+/]{20,}"
    ),
    SecretRule(
        "kerberos_hash", "$krb5", r"\$krb5(?:asrep|tgs)\$\d+\$[^\s$]+(?:\$[^\s$]+)*\$[a-f0-9]{64,}"
    ),
    SecretRule(
        "jwt",
        "eyJ",
        r"eyJ[\w-]{10,}\.(?:eyJ[\w-]{8,}\.[\w-]{16,}|[\w-]*\.[\w-]{16,}\.[\w-]{16,}\.[\w-]{16,})",
    ),
    SecretRule("secret_token", "secret-token:", r"secret-token:([\w.~%-]{16,})"),
    SecretRule("age_key", "AGE-SECRET-KEY-", r"AGE-SECRET-KEY-(?:PQ-)?1[A-Z0-9]{58,}"),
    *SERVICE_RULES,
)

# An s3:// URL is asked for with the keys of the environment, from the endpoint that it names.
PATH=$ROOT/.build/python/bin:$PATH
bin=$ROOT/.build/python/bin
[ -x "$bin/moto_server" ] || skip "there is no moto_server (scripts/test installs it from PyPI)"
corpus random 3M >plain
works "$SLUICE" -q -B128K plain -o a.zst
env -u BASH_ENV "$bin/python3" -B - >port 2>errors 9>&- <<'END' &
import signal
from moto.server import ThreadedMotoServer
import os
# After these calls, which make what is looked for, each one needs a right key.
os.environ.update(INITIAL_NO_AUTH_ACTION_COUNT="0", MOTO_IAM_LOAD_MANAGED_POLICIES="true")
from moto.core import set_initial_no_auth_action_count
import boto3, json, moto.core.responses as responses
responses.ActionAuthenticatorMixin.request_count = -1000
server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
server.start()
port = server.get_host_and_port()[1]
options = dict(endpoint_url=f"http://127.0.0.1:{port}", region_name="us-east-1", aws_access_key_id="x", aws_secret_access_key="x")
s3, iam = boto3.client("s3", **options), boto3.client("iam", **options)
s3.create_bucket(Bucket="bucket")
for key in ["a.zst", "folder/äkey+?%#.zst", "folder/a=b&c.zst"]:
    s3.put_object(Bucket="bucket", Key=key, Body=open("a.zst", "rb").read())
iam.create_user(UserName="user")
policy = {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "s3:*", "Resource": "*"}]}
iam.put_user_policy(UserName="user", PolicyName="all", PolicyDocument=json.dumps(policy))
key = iam.create_access_key(UserName="user")["AccessKey"]
role = iam.create_role(RoleName="role", AssumeRolePolicyDocument=json.dumps(policy))["Role"]["Arn"]
iam.put_role_policy(RoleName="role", PolicyName="all", PolicyDocument=json.dumps(policy))
temporary = boto3.client("sts", **options).assume_role(RoleArn=role, RoleSessionName="session")["Credentials"]
# Whoever has a token needs no key for the service that gives one.
usual = responses.ActionAuthenticatorMixin._authenticate_and_authorize_normal_action
def authenticate(self, resource="*"):
    if "AssumeRoleWithWebIdentity" not in str(self.querystring.get("Action")): usual(self, resource)
responses.ActionAuthenticatorMixin._authenticate_and_authorize_normal_action = authenticate
# From now on.
responses.ActionAuthenticatorMixin.request_count = 0
responses.settings.INITIAL_NO_AUTH_ACTION_COUNT = 0
words = [temporary[name] for name in ["AccessKeyId", "SecretAccessKey", "SessionToken"]]
print(port, key["AccessKeyId"], key["SecretAccessKey"], *words, role, flush=True)
signal.pause()
END
server=$!
trap 'kill $server 2>/dev/null || true' EXIT
for _ in {1..300}; do
    [ ! -s port ] || break
    kill -0 $server 2>/dev/null || skip "moto does not start: $(tail -n 1 errors)"
    sleep 0.1
done
[ -s port ] || skip "moto does not start: $(tail -n 1 errors)"
read -r port identifier secret temporary temporary_secret token role <port
export AWS_ENDPOINT_URL=http://127.0.0.1:$port AWS_REGION=us-east-1 AWS_ACCESS_KEY_ID=$identifier AWS_SECRET_ACCESS_KEY=$secret
works "$SLUICE" -dq s3://bucket/a.zst
same a plain
for key in 'a=b&c.zst' 'äkey+?%#.zst'; do
    works "$SLUICE" -dcq "s3://bucket/folder/$key" >got
    same got plain
done
works "$SLUICE" -dcq --offset=1M --length=1000 s3://bucket/a.zst >got
cmp got <(tail -c +1048577 plain | head -c 1000)
works "$SLUICE" -lq s3://bucket/a.zst
# moto takes signatures for any region.
works env AWS_REGION=eu-west-9 "$SLUICE" -dcq s3://bucket/a.zst >got
same got plain
fails "$SLUICE" -dcq s3://bucket/none.zst
says 's3://bucket/none.zst: there is no such file on the server (status 404, NoSuchKey)'
fails "$SLUICE" -dcq s3://none/a.zst
says 's3://none/a.zst: '
fails "$SLUICE" -dcq s3://bucket
says 'names no object'
fails env AWS_SECRET_ACCESS_KEY=wrong "$SLUICE" -dcq s3://bucket/a.zst
says 's3://bucket/a.zst: the server refuses access (status 403, SignatureDoesNotMatch)'
fails env AWS_ACCESS_KEY_ID=AKIAWRONG "$SLUICE" -dcq s3://bucket/a.zst
says 's3://bucket/a.zst: the server refuses access (status 403, InvalidAccessKeyId)'
# Keys for a time come with a token.
export AWS_ACCESS_KEY_ID=$temporary AWS_SECRET_ACCESS_KEY=$temporary_secret
works env AWS_SESSION_TOKEN="$token" "$SLUICE" -dcq s3://bucket/a.zst >got
same got plain
fails env AWS_SESSION_TOKEN=wrong "$SLUICE" -dcq s3://bucket/a.zst
says 's3://bucket/a.zst: the server refuses the keys (status 400, InvalidToken)'
# moto's service gives one to whoever has a token, for a role; the endpoint of the store is also that of the service.
unset AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY
echo a-token >identity
works env AWS_WEB_IDENTITY_TOKEN_FILE="$PWD/identity" AWS_ROLE_ARN="$role" "$SLUICE" -dcv s3://bucket/a.zst >got
same got plain
says "s3: the key is that of web identity, by $AWS_ENDPOINT_URL"
